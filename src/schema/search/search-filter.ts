/** What limits a search, apart from its words. `search-language.ts` reads it from what a person typed; the database applies it. */

export const search_states = [
  'on_disk',
  'watched',
  'started',
  'later',
  'dismissed',
  'live',
  'short',
  'queued',
  'downloading',
  'failed',
] as const
export type SearchState = (typeof search_states)[number]

type Limit =
  /** Part of the name, in any case, or the whole identifier. */
  | { key: 'channel' | 'group'; name: string }
  /** When the video was published: earlier than `at`, or at it and later. */
  | { key: 'before' | 'after'; at: Date }
  /** A video of unknown length is neither longer nor shorter. */
  | { key: 'longer' | 'shorter'; seconds: number }
  /** `started`: played in part, not watched. `later`: on Watch later. `dismissed`: "Not for me". */
  | { key: 'is'; state: SearchState }

/**
 * All limits of a search must hold; of several channels, or several groups, one is enough. `is_excluded`: the videos that do not fit
 * the limit.
 */
export type SearchFilter = Limit & { is_excluded: boolean }
