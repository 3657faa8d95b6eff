/** A search: its query and its results. */
import { z } from 'zod'
import { Channel } from '../channels/channel.ts'
import { cursor, optional } from '../values/fields.ts'
import { Video } from '../videos/video.ts'
import { SearchSort } from './saved-search.ts'

/** How many results can be paged through. */
export const max_results = 500

export const Highlighted = z.array(
  z.object({
    text: z.string().describe('A piece of the text. All pieces together are the whole text.'),
    match: z.boolean().describe('Whether this piece was searched for.'),
  }),
)
export type Highlighted = z.infer<typeof Highlighted>

/** How many moments of a video a result has at most. */
export const max_moments = 5

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
    .max(max_moments)
    .describe('Where all of the words are said within about thirty seconds, the best first. Empty: nowhere.'),
})
export type SearchHit = z.infer<typeof SearchHit>

const MissingAddress = z.object({
  url: z.string().describe('The address, which can be added or followed.'),
  kind: z.enum(['video', 'channel', 'unknown']).describe('What its platform has at such an address.'),
})
export type MissingAddress = z.infer<typeof MissingAddress>

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
  channels: z
    .array(Channel)
    .describe('Channels whose title has the words, on the first page only; or the channel at the address.'),
  missing: MissingAddress.nullable().describe(
    'The address that was searched for, if no video and no channel of yours has it; null: anything else.',
  ),
  next_cursor: z.string().nullable().describe('The `cursor` of the next page; null: this is the last page.'),
})
export type SearchResult = z.infer<typeof SearchResult>

const search_language = [
  'Words in the title, in the description or said in the video, ignoring case and accents; also "a phrase", -excluded and or. And filters:',
  '`channel:` and `group:` with part of a name, in quotation marks if it has spaces, or an id;',
  '`before:` and `after:` with a date in UTC (2025, 2025-04, 2025-04-30) or a time ago (7d, 2w, 3m, 1y);',
  '`longer:` and `shorter:` with a length (20m, 1h30m, 90s);',
  '`on:disk`; and `is:` with watched, unwatched, started, later, hidden, live, short, queued, downloading or failed.',
  'A minus before a filter excludes. The identifier or the address of a video or channel finds that one alone. At most 200 characters count.',
].join(' ')

/** No text is an error: a longer one is cut. */
export const SearchQuery = z.object({
  q: z
    .string()
    .default('')
    .transform(typed => typed.trim().slice(0, 200).toWellFormed())
    .meta({
      description: search_language,
      examples: ['bread on:disk longer:20m', 'channel:"slow kitchen" -is:watched'],
    }),
  limit: optional(z.coerce.number().int().min(1).max(100), 'Use a whole number from 1 to 100.')
    .transform(limit => limit ?? 24)
    .meta({ description: 'The largest number of results; 24 if absent.', examples: [50] }),
  sort: optional(SearchSort, `Use one of ${SearchSort.options.join(', ')}.`)
    .transform(sort => sort ?? 'relevance')
    .meta({ description: 'The order; `relevance` if absent.', examples: ['newest'] }),
  cursor,
})

/** What is typed before the cursor. A space at the end ends the piece before it. */
export const SuggestionsQuery = z.object({
  q: z
    .string()
    .default('')
    .transform(typed => typed.trimStart().slice(0, 200).toWellFormed()),
})
