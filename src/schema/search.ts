/** The results of a search. Its query is in `requests.ts`. */
import { z } from 'zod'
import { Channel } from './channel.ts'
import { Video } from './video.ts'

/** How many results can be paged through. */
export const most_found = 500

export const Highlighted = z.array(
  z.object({
    text: z.string().describe('A piece of the text. All pieces together are the whole text.'),
    match: z.boolean().describe('Whether this piece was searched for.'),
  }),
)
export type Highlighted = z.infer<typeof Highlighted>

/** How many moments of a video a result has at most. */
export const most_moments = 3

export const Moment = z.object({
  start_seconds: z.int().min(0).describe('Where it is said, in whole seconds from the start.'),
  text: z.string().describe('What is said there, at most about two lines.'),
  highlighted: Highlighted.describe('The same text in pieces.'),
})
export type Moment = z.infer<typeof Moment>

export const SearchHit = Video.extend({
  highlights: z
    .object({
      title: Highlighted.nullable().describe('The whole title in pieces; null: no word was found in it.'),
      description: Highlighted.nullable().describe('The text around the found words, in pieces; null: none was found.'),
    })
    .describe('Where the words were found.'),
  moments: z
    .array(Moment)
    .max(most_moments)
    .describe('Where all of the words are said within about thirty seconds, the best first. Empty: nowhere.'),
})
export type SearchHit = z.infer<typeof SearchHit>

export const SearchResult = z.object({
  words: z.string().describe('What was searched for apart from the filters; empty: only filters, or nothing.'),
  filters: z
    .array(
      z.object({
        typed: z.string().describe('As it was typed.'),
        means: z.string().describe('What it means in words.'),
        without: z.string().describe('The `q` without this filter.'),
      }),
    )
    .describe('The filters that were understood. All of them fit each video; of several channels or groups, one.'),
  hints: z
    .array(
      z.object({
        typed: z.string().describe('The piece of `q` that is not understood, or finds nothing.'),
        hint: z.string().describe('What to type instead, as a sentence.'),
        instead: z.string().nullable().describe('The `q` that was probably meant; null: not known.'),
      }),
    )
    .describe(
      'What to type instead. A wrong filter is left out; a misspelt one is searched for as words; a name that you do not have counts. Empty: nothing.',
    ),
  entries: z
    .array(SearchHit)
    .describe(
      'By relevance, matches in the title alone first, then by title and description, then what is only said; the newest first in each. By date, the newest first.',
    ),
  channels: z.array(Channel).describe('Channels whose title has the words; on the first page only.'),
  next_cursor: z.string().nullable().describe('The `cursor` of the next page; null: this is the last page.'),
})
export type SearchResult = z.infer<typeof SearchResult>
