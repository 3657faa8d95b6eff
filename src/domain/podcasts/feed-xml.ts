/**
 * Writes a podcast as RSS 2.0 with the namespaces of iTunes and Podcasting 2.0. Pure: the same podcast gives the same text. Strangers write
 * titles and descriptions, so both are cut, and lose the characters that XML forbids.
 */
import type { Episode, ShownPodcast } from '../../schema/podcasts/podcast.ts'
import { withoutPart } from '../../schema/sources/subtitles.ts'
import { cut, max_title } from '../../schema/values/stored.ts'
import { documentOf, plain } from './xml.ts'

/**
 * `base`: the address of the podcast, to which the names of files are added: `https://tv.example.org/f/<token>/`. `site`: of this service.
 */
type Places = { base: string; site: string }

export const media_types = {
  mp4: 'video/mp4',
  m4a: 'audio/mp4',
  mp3: 'audio/mpeg',
  jpg: 'image/jpeg',
  vtt: 'text/vtt',
  chapters: 'application/json+chapters',
}

/** Of the words that are ours; readers of podcasts require a language. */
const our_language = 'en'

export const feed_name = 'feed.xml'

/** The name of the picture of the whole podcast. */
export const cover_name = 'feed.jpg'

export const chapters_ending = '.chapters.json'

export async function feedXml(podcast: ShownPodcast, episodes: Episode[], { base, site }: Places): Promise<string> {
  const { kind, language, page_url } = podcast
  const name = cut(podcast.title, max_title)
  const title = titleInApps(podcast)
  const link = page_url ?? site
  const cover = base + cover_name
  const built = [podcast.created_at, ...episodes.map(({ completed_at }) => completed_at)]
  return documentOf('rss', {
    '@version': '2.0',
    '@xmlns:atom': namespaces.atom,
    '@xmlns:itunes': namespaces.itunes,
    '@xmlns:podcast': namespaces.podcast,
    channel: {
      title,
      link,
      'atom:link': { '@href': base + feed_name, '@rel': 'self', '@type': 'application/rss+xml' },
      description: `${kind === 'audio' ? 'The sound of videos' : 'Videos'} on disk: ${name}`,
      language: withoutPart(language ?? our_language),
      lastBuildDate: new Date(Math.max(...built.map(Number))).toUTCString(),
      ttl: minutes_between_reads,
      generator: 'Backlot',
      image: { url: cover, title, link },
      'itunes:image': { '@href': cover },
      'itunes:author': 'channel_id' in podcast.of ? name : undefined,
      'itunes:explicit': String(episodes.some(({ is_explicit }) => is_explicit)),
      'itunes:category': { '@text': 'TV & Film' },
      'itunes:type': 'episodic',
      'itunes:block': 'Yes',
      'podcast:guid': podcast.podcast_id,
      'podcast:locked': 'yes',
      'podcast:medium': kind === 'audio' ? 'podcast' : 'video',
      item: episodes.map(episode => itemOf(episode, base)),
    },
  })
}

export type TitledPodcast = Pick<ShownPodcast, 'title' | 'kind'>

/** A podcast of sound and one of the films may have the same subject. */
export const titleInApps = ({ title, kind }: TitledPodcast): string =>
  cut(title, max_title) + (kind === 'audio' ? ' (sound)' : '')

const namespaces = {
  atom: 'http://www.w3.org/2005/Atom',
  itunes: 'http://www.itunes.com/dtds/podcast-1.0.dtd',
  podcast: 'https://podcastindex.org/namespace/1.0',
}

const minutes_between_reads = 60

function itemOf(episode: Episode, base: string) {
  const { video_id, extension, duration_seconds, transcript } = episode
  const file = base + encodeURIComponent(video_id)
  return {
    title: plain(cut(episode.title, max_title)).trim() || 'Untitled',
    link: episode.video_url,
    guid: { '@isPermaLink': 'false', '#': video_id },
    pubDate: episode.published_at.toUTCString(),
    description: episode.description ? asHtml(cut(episode.description, max_description)) : undefined,
    enclosure: { '@url': `${file}.${extension}`, '@length': episode.file_size, '@type': media_types[extension] },
    'itunes:author': cut(episode.channel_title, max_title),
    'itunes:duration': duration_seconds ?? undefined,
    'itunes:image': episode.picture_id === null ? undefined : { '@href': `${file}.jpg` },
    'itunes:explicit': String(episode.is_explicit),
    'itunes:block': 'Yes',
    'podcast:transcript':
      transcript === null
        ? undefined
        : { '@url': `${file}.vtt`, '@type': media_types.vtt, '@language': withoutPart(transcript) },
    'podcast:chapters': episode.has_chapters
      ? { '@url': file + chapters_ending, '@type': media_types.chapters }
      : undefined,
  }
}

/** Characters; show notes that are longer have a link to their site. */
const max_description = 4000

/** Apps show a description as HTML, and a stored description is plain text. */
const asHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replace(/\r?\n/g, '<br>\n')
