/** What a search takes and finds. */
import { z } from 'zod'
import { Channel } from './channel.ts'
import { Video } from './video.ts'

/** How many results can be paged through. */
export const most_found = 500

/** A text in pieces; `match`: one of the words that were searched for. */
export const Highlighted = z.array(
  z.object({
    text: z.string().describe('A piece of it; all of them together are the whole.'),
    match: z.boolean().describe('Whether this is what was searched for.'),
  }),
)
export type Highlighted = z.infer<typeof Highlighted>

export const SearchHit = Video.extend({
  /** What was searched for, where it stands; `null`: not in this one. */
  highlights: z.object({
    title: Highlighted.nullable().describe('The whole title in pieces; null: it has none of the words.'),
    description: Highlighted.nullable().describe('What stands around the words, in pieces; null: it has none of them.'),
  }),
})
export type SearchHit = z.infer<typeof SearchHit>

export const SearchResult = z.object({
  /** The best first. */
  entries: z.array(SearchHit),
  /** Those whose title has the words; with the first page only. */
  channels: z.array(Channel),
  next_cursor: z.string().nullable(),
})
export type SearchResult = z.infer<typeof SearchResult>
