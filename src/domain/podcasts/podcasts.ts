/** Makes podcasts and their addresses, and the feed that an app reads at an address. */
import { hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Library } from '../../db/library.ts'
import { DomainError, noRoomFor } from '../../errors.ts'
import {
  type Episode,
  list_titles,
  max_podcasts,
  type NewPodcast,
  type Podcast,
  type PodcastOf,
  type PodcastRequest,
  type StoredEpisode,
} from '../../schema/podcasts/podcast.ts'
import { subtitlesOfTranscript } from '../../schema/sources/subtitle-languages.ts'
import { countWords } from '../../schema/values/words.ts'
import { chaptersIn } from '../../schema/videos/described-times.ts'
import { getGroup } from '../channels/groups.ts'
import { getChannel, orThrow } from '../get.ts'
import { getPlaylist } from '../watching/playlists.ts'
import { feed_name, feedXml, type TitledPodcast, titleInApps } from './feed-xml.ts'
import { documentOf } from './xml.ts'

/** The title of what a podcast lists, for the page that makes the podcast. Throws `not_found`. */
export async function titleOf(library: Library, of: PodcastOf): Promise<string> {
  if ('channel_id' in of) return (await getChannel(library, of.channel_id)).title
  if ('group_id' in of) return (await getGroup(library, of.group_id)).group.name
  if ('playlist_id' in of) return (await getPlaylist(library, of.playlist_id)).name
  return list_titles[of.list]
}

/** `site`: the address of this service as people see it. */
export async function makePodcast(library: Library, request: PodcastRequest, site: string): Promise<NewPodcast> {
  const made = orThrow(await library.podcasts.add(request, token => podcastIdOf(addressAt(site, token))), noSuchSubject)
  if (made === 'full') throw noRoomFor(max_podcasts, 'podcasts', 'Delete')
  await wantSounds(library, request)
  return { podcast_id: made.podcast_id, url: addressAt(site, made.token) }
}

/**
 * The id of a podcast by its first address: UUID v5 of the address without its scheme and the slashes at its end. Source: the podcast
 * namespace, `podcast:guid`.
 */
export function podcastIdOf(address: string): string {
  const name = address.replace(/^\w+:\/\/|\/+$/g, '')
  const hex = hash('sha1', Buffer.concat([guid_namespace, Buffer.from(name)]), 'hex')
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

const guid_namespace = Buffer.from('ead4c236bf5858c6a2c6a6b28d128cb6', 'hex')

/** Makes one more address of the podcast. Its other addresses stay valid; only their hashes are stored, so they cannot be shown. */
export async function makeAddress({ podcasts }: Library, podcast_id: string, site: string): Promise<NewPodcast> {
  const token = orThrow((await podcasts.addAddresses([podcast_id])).get(podcast_id), noSuchPodcast)
  return { podcast_id, url: addressAt(site, token) }
}

/** All podcasts as OPML, each with a new address. */
export async function podcastsAsOpml({ podcasts }: Library, site: string): Promise<string> {
  const listed = await podcasts.list()
  // Podcasts of the same videos are one in an app.
  const all = listed.filter((one, nth) => listed.findIndex(other => isSameFeed(one, other)) === nth)
  const tokens = await podcasts.addAddresses(all.map(({ podcast_id }) => podcast_id))
  const given = all.filter(({ podcast_id }) => tokens.has(podcast_id))
  return opmlOf(given.map(podcast => ({ ...podcast, url: addressAt(site, tokens.get(podcast.podcast_id) ?? '') })))
}

const isSameFeed = (one: Podcast, other: Podcast) =>
  isDeepStrictEqual([one.of, one.kind, one.newest], [other.of, other.kind, other.newest])

const addressAt = (site: string, token: string) => `${site}/f/${token}/${feed_name}`

/** Podcast apps import it. Source: opml.org/spec2.opml. */
const opmlOf = (podcasts: (TitledPodcast & { url: string })[]): Promise<string> =>
  documentOf('opml', {
    '@version': '2.0',
    head: { title: 'Podcasts of Backlot' },
    body: {
      outline: podcasts.map(({ url, ...podcast }) => ({
        '@type': 'rss',
        '@text': titleInApps(podcast),
        '@title': titleInApps(podcast),
        '@xmlUrl': url,
      })),
    },
  })

export async function deletePodcast({ podcasts }: Library, podcast_id: string): Promise<void> {
  if (!(await podcasts.remove(podcast_id))) throw noSuchPodcast()
}

/**
 * The feed of a podcast. `etag` changes whenever the feed does, and is known before the feed is written. `base`: the address to which the
 * names of files are added.
 */
export async function showPodcast(
  library: Library,
  podcast_id: string,
  { base, site }: { base: string; site: string },
): Promise<{ etag: string; write: () => Promise<string> }> {
  const podcast = orThrow(await library.podcasts.find(podcast_id), noSuchPodcast)
  const [stored, { subtitle_languages }] = await Promise.all([
    library.podcasts.episodes(podcast),
    library.settings.get(),
  ])
  await wantSounds(library, podcast)
  const episodes = stored.map(one => withCompanions(one, subtitle_languages))
  const shown = {
    ...podcast,
    language: mostOften(stored.map(({ language }) => language)) ?? subtitle_languages[0] ?? null,
  }
  const etag = `"${hash('sha256', JSON.stringify([form, site, shown, episodes]), 'base64url')}"`
  return { etag, write: () => feedXml(shown, episodes, { base, site }) }
}

/** To be raised when a feed is written in another way, so that apps read the feeds of unchanged podcasts again. */
const form = 2

/** With the subtitles from which the transcript in Backlot is read, too, and the chapters of the player. */
const withCompanions = ({ subtitles, language, ...episode }: StoredEpisode, preferred: string[]): Episode => ({
  ...episode,
  has_chapters: episode.has_chapters || chaptersIn(episode).length > 0,
  transcript: subtitlesOfTranscript(subtitles, language, preferred) ?? null,
})

/** Queues the cutting of the sounds that a podcast of sound still misses. */
async function wantSounds({ podcasts, sounds }: Library, podcast: Pick<Podcast, 'of' | 'kind' | 'newest'>) {
  if (podcast.kind === 'audio') await sounds.want(await podcasts.videoIds(podcast))
}

/** By podcast: why which videos have no sound, as a sentence. Podcasts that lack none are left out. */
export async function missingSounds({ podcasts, sounds }: Library, all: Podcast[]): Promise<Map<string, string>> {
  const told = all.map(async (podcast): Promise<[string, string][]> => {
    if (podcast.kind !== 'audio') return []
    const known = await sounds.of(await podcasts.videoIds(podcast))
    const faults = [...known.values()].flatMap(({ fault }) => fault ?? [])
    if (faults.length === 0) return []
    return [
      [podcast.podcast_id, `${countWords(faults.length, 'video')} without sound: ${[...new Set(faults)].join(' ')}`],
    ]
  })
  return new Map((await Promise.all(told)).flat())
}

/** Null: none is known. */
function mostOften(languages: (string | null)[]): string | null {
  const known = languages.filter(language => language !== null)
  const counted = [...Map.groupBy(known, language => language)].map(([language, all]) => ({
    language,
    count: all.length,
  }))
  return counted.toSorted((a, b) => b.count - a.count)[0]?.language ?? null
}

const noSuchSubject = () => new DomainError('not_found', 'There is no such channel, group or playlist in your library.')

const noSuchPodcast = () => new DomainError('not_found', 'There is no such podcast.')
