/** Searches the channels and videos a user follows. */
import type { Library } from '../../db/library/library.ts'
import type { SearchResult } from '../../schema/search.ts'
import { readSearch } from '../../schema/search-language.ts'
import type { SearchSort } from '../../schema/search-sort.ts'

type Query = { q: string; sort?: SearchSort; limit: number; cursor?: string | undefined }

/** Channels are listed above the videos, so there are only a few. */
const max_channels = 6

export async function search({ search }: Library, { q: typed, sort, limit, cursor }: Query): Promise<SearchResult> {
  const { words: q, filters } = readSearch(typed, new Date())
  if (q === '' && filters.length === 0) return { entries: [], channels: [], next_cursor: null }
  const [videos, channels] = await Promise.all([
    search.videos({ q, filters, ...(sort && { sort }), limit, cursor }),
    // A filter asks for videos.
    cursor === undefined && filters.length === 0 ? search.channels(q, max_channels) : [],
  ])
  return { ...videos, channels }
}
