/** Searches the channels and videos a user follows. */
import type { Library } from '../../db/library/library.ts'
import type { SearchResult } from '../../schema/search.ts'
import { readSearch } from '../../schema/search-language.ts'

type Query = { q: string; limit: number; cursor?: string | undefined }

/** Channels are listed above the videos, so there are only a few. */
const max_channels = 6

export async function search({ search }: Library, { q: typed, limit, cursor }: Query): Promise<SearchResult> {
  const { words: q } = readSearch(typed, new Date())
  if (q === '') return { entries: [], channels: [], next_cursor: null }
  const [videos, channels] = await Promise.all([
    search.videos({ q, limit, cursor }),
    cursor === undefined ? search.channels(q, max_channels) : [],
  ])
  return { ...videos, channels }
}
