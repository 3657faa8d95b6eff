/** Searches the channels and videos of a person. An identifier or an address of a video or channel finds that one alone. */
import type { Library } from '../../db/library.ts'
import { folded, namePattern } from '../../db/words/folded.ts'
import { DomainError } from '../../errors.ts'
import { currentTime } from '../../runtime/clock.ts'
import type { Channel } from '../../schema/channels/channel.ts'
import type { SearchSort } from '../../schema/search/saved-search.ts'
import type { MissingAddress, SearchResult } from '../../schema/search/search.ts'
import { readSearch, type SearchHint, type SearchPart } from '../../schema/search/search-language.ts'
import { nameBegunIn, type SearchSuggestion, suggestionsFor } from '../../schema/search/search-suggestions.ts'
import type { Video } from '../../schema/videos/video.ts'
import { lookedEntries } from '../videos/look.ts'

type Query = { q: string; sort?: SearchSort; limit: number; cursor?: string | undefined }

/** Channels are listed above the videos, so there are only a few. */
const max_channels = 6

/** What was typed is read at `now`, because a filter may say a time ago. */
export async function search(
  library: Library,
  { q: typed, sort = 'relevance', limit, cursor }: Query,
  now = currentTime(),
): Promise<SearchResult> {
  const { words: q, filters, parts, hints } = readSearch(typed, now)
  const understood = { words: q, filters: parts.map(({ typed, means, without }) => ({ typed, means, without })) }
  const nothing = { ...understood, hints, entries: [], channels: [], missing: null, next_cursor: null }
  if (q === '' && filters.length === 0) return nothing
  const named = filters.length === 0 ? await findNamed(library, q) : undefined
  if (named?.video) {
    const entries = [{ ...named.video, highlights: { title: null, description: null }, moments: [] }]
    return { ...nothing, hints: [], entries }
  }
  if (named?.channels) return { ...nothing, hints: [], channels: named.channels }
  const [videos, channels, unnamed] = await Promise.all([
    library.search.videos({ q, filters, sort, limit, cursor }),
    // A filter asks for videos.
    cursor === undefined && filters.length === 0 ? library.search.channels(q, max_channels) : [],
    library.search.namingNone(filters),
  ])
  const names = parts.filter(({ filter }) => unnamed.includes(filter)).map(hintAtName)
  return { ...understood, hints: [...hints, ...names], ...videos, channels, missing: named?.missing ?? null }
}

/** A filter that names nothing still counts, so the search finds videos only if the filter excludes. */
const hintAtName = ({ filter, typed }: SearchPart): SearchHint => ({
  typed,
  hint: `You have no ${filter.key} with this in its name.`,
  instead: null,
})

/** Exactly one of these. `channels`: not empty. `missing`: an address of neither. */
type Found = { video?: Video; channels?: Channel[]; missing?: MissingAddress }

/** Finds what a person pasted: a video or a channel by its identifier or its address. `undefined`: it is neither. */
async function findNamed({ search }: Library, q: string): Promise<Found | undefined> {
  if (is_address.test(q)) return findAddressed(search, q)
  const video = is_identifier.test(q) ? await search.videoNamed({ ids: [q], urls: [] }) : undefined
  return video && { video }
}

/** With a scheme or with a path, as browsers show it; a handle or an identifier of YouTube's channels. */
const is_address = /^(?:[Hh][Tt][Tt][Pp][Ss]?:\/\/\S+|[\w-]+(?:\.[\w-]+)+(?::\d+)?\/\S*|@[^\s/]+|UC[\w-]{22})$/
const is_identifier = /^[\w.-]{1,200}$/

async function findAddressed(search: Library['search'], q: string): Promise<Found | undefined> {
  const { namesOf } = await lookedEntries()
  const names = namesIn(q, namesOf)
  if (!names) return undefined
  const { url, urls, kind, video_ids, channel_ids } = names
  const video = await search.videoNamed({ ids: video_ids, urls })
  if (video) return { video }
  const channels = channel_ids.length > 0 ? await search.channelsNamed({ ids: channel_ids, urls }) : []
  return channels.length > 0 ? { channels } : { missing: { url, kind } }
}

/** `undefined`: an address that cannot be read is searched for as words. */
function namesIn<Names>(q: string, namesOf: (pasted: string) => Names): Names | undefined {
  try {
    return namesOf(q)
  } catch (refusal) {
    if (refusal instanceof DomainError) return undefined
    throw refusal
  }
}

/** Names of channels or groups in one list of suggestions. */
const max_names = 8

/** Suggests the video that is named, or how a search can continue, with the names of the person's channels and groups. */
export async function suggestSearches(library: Library, typed: string, now: Date): Promise<SearchSuggestion[]> {
  const { video } = (await findNamed(library, typed.trim())) ?? {}
  if (video) return [{ search: typed, typed: video.title, means: video.channel_title, video_id: video.video_id }]
  const begun = nameBegunIn(typed)
  return suggestionsFor(typed, begun ? await namesWith(library, begun) : [], now)
}

type BegunName = NonNullable<ReturnType<typeof nameBegunIn>>

async function namesWith({ groups, search }: Library, { key, name }: BegunName): Promise<string[]> {
  if (key === 'channel') return search.channelNames(name, max_names)
  const all = (await groups.names()).map(group => group.name)
  const pattern = new RegExp(namePattern(folded(name)), 'iu')
  return all.filter(given => pattern.test(folded(given))).slice(0, max_names)
}
