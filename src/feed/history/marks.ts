/** Collects the marks of a watch history: each video once, with its newest entry, and the counts of what was left out. Pure. */
import type { ArchiveViewing } from '../../schema/imports/archive.ts'
import { type ImportContent, max_marks } from '../../schema/imports/import.ts'
import { isAtEnd, longest_video_s } from '../../schema/watching/viewing.ts'

/** One entry of a history. Times in milliseconds since 1970, lengths in seconds; undefined: unknown. */
export type Mark = {
  video_id: string
  at_ms?: number | undefined
  position_s?: number | undefined
  duration_s?: number | undefined
}
/** Why an entry is left out. */
export type LeftOut = keyof Pick<ImportContent, 'ads' | 'music' | 'removed' | 'unknown' | 'playlists_unread'>

export type Marks = ReturnType<typeof marksOf>

export function marksOf(most = max_marks) {
  const marks = new Map<string, Mark>()
  const left_out = { ads: 0, music: 0, removed: 0, unknown: 0, playlists_unread: 0, older: 0 }
  let is_found = false
  const newestOnly = () => {
    const oldest_first = [...marks.values()].toSorted((a, b) => (a.at_ms ?? 0) - (b.at_ms ?? 0))
    for (const { video_id } of oldest_first.slice(0, -most)) marks.delete(video_id)
    left_out.older += oldest_first.length - marks.size
  }
  return {
    add(entry: Mark | LeftOut): void {
      is_found = true
      if (typeof entry === 'string') {
        left_out[entry] += 1
        return
      }
      const known = marks.get(entry.video_id)
      marks.set(entry.video_id, known ? merged(known, entry) : entry)
      // Sorting at twice the number makes the cost of each entry small.
      if (marks.size >= 2 * most) newestOnly()
    },
    /** Takes back an entry that a later line of a log deletes. */
    forget: (video_id: string) => void marks.delete(video_id),
    /** Whether any entry was found, taken or not. */
    found: () => is_found,
    counts(): Partial<ImportContent> {
      if (marks.size > most) newestOnly()
      const undated = marks.values().filter(({ at_ms }) => at_ms === undefined)
      return { ...left_out, undated: [...undated].length }
    },
    viewings(now: Date): ArchiveViewing[] {
      if (marks.size > most) newestOnly()
      return [...marks.values()].map(mark => viewingOf(mark, now))
    },
  }
}

/** The newer entry, completed by the older one. */
function merged(known: Mark, entry: Mark): Mark {
  const [newer, older] = (entry.at_ms ?? 0) >= (known.at_ms ?? 0) ? [entry, known] : [known, entry]
  return {
    video_id: entry.video_id,
    at_ms: newer.at_ms ?? older.at_ms,
    position_s: newer.position_s ?? older.position_s,
    duration_s: newer.duration_s ?? older.duration_s,
  }
}

/** A video that was left before its end, as far as the history tells, keeps its position and is not marked. */
function viewingOf({ video_id, at_ms, position_s, duration_s }: Mark, now: Date): ArchiveViewing {
  const position_seconds = wholeSeconds(position_s)
  const duration_seconds = wholeSeconds(duration_s)
  const is_begun = position_seconds !== null && position_seconds >= min_position_s && duration_seconds !== null
  const is_seen = !is_begun || isAtEnd(position_seconds, duration_seconds)
  const at = timeOf(at_ms, now)
  return {
    video_id,
    seen_at: is_seen ? at : null,
    position_seconds: position_seconds || null,
    duration_seconds: duration_seconds || null,
    watched_at: position_seconds ? at : null,
    dismissed_at: null,
    later_at: null,
    not_for_me_at: null,
    forgotten_at: null,
  }
}

/** Some apps store 0, or the first seconds, for a video that was watched to its end. */
const min_position_s = 5

const wholeSeconds = (seconds: number | undefined): number | null =>
  seconds !== undefined && seconds >= 0 && seconds <= longest_video_s ? Math.floor(seconds) : null

/** No video site is older than 2000. */
const earliest_ms = Date.UTC(2000, 0, 1)
const timeOf = (at_ms: number | undefined, now: Date): string =>
  new Date(at_ms !== undefined && at_ms >= earliest_ms && at_ms <= now.getTime() ? at_ms : now.getTime()).toISOString()
