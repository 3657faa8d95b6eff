/** Searching everything one follows, from what a person typed. */
import type { Library } from '../../db/library/library.ts'
import type { SearchResult } from '../../schema/search.ts'

type Asked = { q: string; limit: number; cursor?: string | undefined }

/** More would stand between the person and the videos. */
const most_channels = 6

export async function search({ search }: Library, { q, limit, cursor }: Asked): Promise<SearchResult> {
  if (q === '') return { entries: [], channels: [], next_cursor: null }
  const [videos, channels] = await Promise.all([
    search.videos({ q, limit, cursor }),
    cursor === undefined ? search.channels(q, most_channels) : [],
  ])
  return { ...videos, channels }
}
