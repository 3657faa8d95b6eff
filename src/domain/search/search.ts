/** Searches the channels and videos of a person. An identifier or an address of a video finds that video alone. */
import type { Library } from '../../db/library.ts'
import { folded } from '../../db/words/folded.ts'
import type { SearchSort } from '../../schema/search/saved-search.ts'
import type { SearchResult } from '../../schema/search/search.ts'
import { readSearch, type SearchHint, type SearchPart } from '../../schema/search/search-language.ts'
import { nameBegunIn, type SearchSuggestion, suggestionsFor } from '../../schema/search/search-suggestions.ts'
import type { Video } from '../../schema/videos/video.ts'
import { lookedEntries } from '../videos/look.ts'

type Query = { q: string; sort?: SearchSort; limit: number; cursor?: string | undefined }

/** Channels are listed above the videos, so there are only a few. */
const max_channels = 6

/** What was typed is read at `now`, because a filter may say a time ago. */
export async function search(
  { search, videos: all }: Library,
  { q: typed, sort, limit, cursor }: Query,
  now = new Date(),
): Promise<SearchResult> {
  const { words: q, filters, parts, hints } = readSearch(typed, now)
  const understood = { words: q, filters: parts.map(({ typed, means, without }) => ({ typed, means, without })) }
  if (q === '' && filters.length === 0) return { ...understood, hints, entries: [], channels: [], next_cursor: null }
  const named = filters.length === 0 ? await videoNamed(all, q) : undefined
  if (named) {
    const entries = [{ ...named, highlights: { title: null, description: null }, moments: [] }]
    return { ...understood, hints: [], entries, channels: [], next_cursor: null }
  }
  const [videos, channels, unnamed] = await Promise.all([
    search.videos({ q, filters, ...(sort && { sort }), limit, cursor }),
    // A filter asks for videos.
    cursor === undefined && filters.length === 0 ? search.channels(q, max_channels) : [],
    search.namingNone(filters),
  ])
  const names = parts.filter(({ filter }) => unnamed.includes(filter)).map(hintAtName)
  return { ...understood, hints: [...hints, ...names], ...videos, channels }
}

/** A filter that names nothing still counts, so the search finds videos only if the filter excludes. */
const hintAtName = ({ filter, typed }: SearchPart): SearchHint => ({
  typed,
  hint: `You have no ${filter.key} with this in its name.`,
  instead: null,
})

/** `undefined`: nothing in the library is named so. */
async function videoNamed(videos: Library['videos'], q: string): Promise<Video | undefined> {
  for (const id of await idsNamed(q)) {
    const video = await videos.find(id)
    if (video) return video
  }
  return undefined
}

/** The identifiers that may be meant: the identifiers of an address, or the typed word, if it looks like an identifier. Few words do. */
async function idsNamed(q: string): Promise<string[]> {
  if (/^(https?:\/\/|[\w-]+(\.[\w-]+)+\/)\S+$/i.test(q)) return (await lookedEntries()).videoIdsAt(q)
  return /^[\w-]{11}$|^[\w-]+\.[\w.-]+$/.test(q) ? [q] : []
}

/** Names of channels or groups in one list of suggestions. */
const max_names = 8

/** Suggests how a search can continue, with the names of the person's channels and groups. */
export async function suggestSearches(library: Library, typed: string, now: Date): Promise<SearchSuggestion[]> {
  const begun = nameBegunIn(typed)
  return suggestionsFor(typed, begun ? await namesWith(library, begun) : [], now)
}

type BegunName = NonNullable<ReturnType<typeof nameBegunIn>>

async function namesWith({ groups, search }: Library, { key, name }: BegunName): Promise<string[]> {
  if (key === 'channel') return search.channelNames(name, max_names)
  const all = (await groups.names()).map(group => group.name)
  const part = comparable(name)
  return all.filter(given => comparable(given).includes(part)).slice(0, max_names)
}

const comparable = (name: string) => folded(name).toLowerCase()
