/** A search that a person has saved under a name, and the column beside the content, which opens it. */
import { z } from 'zod'
import type { Channel } from '../channels/channel.ts'
import type { Group } from '../channels/group.ts'
import { OwnName, SavedSearchId } from '../values/fields.ts'

/** The orders of search results. By relevance: matches in the title first. Without words to search for, the two are one. */
export const SearchSort = z.enum(['relevance', 'newest'])
export type SearchSort = z.infer<typeof SearchSort>

/** The most saved searches of one person. */
export const max_searches = 50

/** As long as what can be searched for, see `SearchQuery`. Postgres cannot store a zero byte, and lines are not searched for. */
const SavedQuery = z
  .string('Enter what to search for.')
  .transform(typed =>
    typed
      .replaceAll(/\p{Cc}/gu, ' ')
      .trim()
      .toWellFormed(),
  )
  .pipe(z.string().min(1, 'Enter what to search for.').max(200, 'Use at most 200 characters.'))

export const SavedSearch = z
  .object({
    saved_search_id: SavedSearchId,
    name: z.string().describe('Its name, with 1 to 60 characters. Yours differ, ignoring case.'),
    q: z.string().describe('What is searched for, with 1 to 200 characters.'),
    sort: SearchSort.describe('The order of the results.'),
  })
  .meta({ id: 'SavedSearch' })
export type SavedSearch = z.infer<typeof SavedSearch>

/** What tells one search from another. */
export type SearchOf = Pick<SavedSearch, 'q' | 'sort'>

export const SavedSearches = z.object({ searches: z.array(SavedSearch) })

export const SavedSearchRequest = z.object({
  name: OwnName.meta({ description: 'The name: 1 to 60 characters.', examples: ['Bread, not yet watched'] }),
  q: SavedQuery.meta({ description: 'What to search for: 1 to 200 characters.', examples: ['bread is:unwatched'] }),
  sort: SearchSort.default('relevance').describe('The order of the results; `relevance` if absent.'),
})
export type SavedSearchRequest = z.infer<typeof SavedSearchRequest>

export const RenameSearchForm = z.object({ name: OwnName })

export type ColumnChannel = Pick<Channel, 'channel_id' | 'title' | 'picture_url' | 'image_url'> & {
  /** How many of its newest videos are neither watched nor dismissed. */
  unwatched: number
}

/** The column beside New, the channels and the search. `channels`: those with the newest videos first. */
export type LibraryColumn = { groups: Group[]; searches: SavedSearch[]; channels: ColumnChannel[] }
