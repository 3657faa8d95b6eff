/**
 * Reads the metadata of a video from its tags and from the files next to it: yt-dlp's info file, the NFO file of a media server, YT Zero's
 * own file. Metadata of every source has the form of yt-dlp's info file, in which all sources are joined. Pure.
 */
import { z } from 'zod'
import { childrenOf, elementOf, rootNameOf, textAt, textIn } from '../../feed/markup/xml.ts'
import { platformVideoIdOf } from '../../feed/platforms/by-address.ts'
import { jsonIn } from '../../runtime/json.ts'
import type { LookedVideo } from '../../schema/sources/listing.ts'
import { lookedVideoOf, VideoInfo, webUrl } from '../../ytdlp/ask/video-info.ts'
import { videoIdAt } from '../videos/looked-entry.ts'
import { type VideoAddress, videoOf } from './addresses.ts'

/** Where metadata was read. The words are part of sentences for people. */
export type MetadataSource = 'info file' | 'NFO file' | 'YT Zero file' | 'tags' | 'folder' | 'file name'

export type Metadata = { from: MetadataSource; info: VideoInfo }

const metadataFrom = (from: MetadataSource, fields: Record<string, unknown>): Metadata => ({
  from,
  info: VideoInfo.parse({ ...fields, _type: null }),
})

export function infoFileMetadata(text: string): Metadata | undefined {
  const json = recordIn(text)
  if (!json || /^(playlist|multi_video)$/.test(String(json._type))) return undefined
  const metadata = metadataFrom('info file', { ...json, extractor_key: json.extractor_key ?? json.extractor })
  const { id, webpage_url, extractor_key } = metadata.info
  // A file that was written by hand may have nothing but the id.
  const named = id == null ? undefined : videoOf(extractor_key ?? 'youtube', id)
  return { ...metadata, info: { ...metadata.info, webpage_url: webpage_url ?? named?.video_url ?? null } }
}

export function ytZeroMetadata(text: string): Metadata | undefined {
  const video = videoOf('youtube', String(recordIn(text)?.videoId))
  return video && metadataFrom('YT Zero file', { webpage_url: video.video_url })
}

const recordIn = (text: string): Record<string, unknown> | undefined =>
  z.record(z.string(), z.unknown()).safeParse(jsonIn(text.replace(/^\ufeff/, ''))).data

/** Kodi's form, which Jellyfin, Pinchflat, TubeSync and others write. */
export function nfoMetadata(text: string): Metadata | undefined {
  try {
    const root = rootNameOf(text)
    if (!root || !/^(episodedetails|movie|musicvideo|video)$/.test(root)) return undefined
    const element = elementOf(text, root)
    const ids = childrenOf(element, 'uniqueid').map(id => videoOf(id.attributes.type ?? '', textIn(id).trim()))
    return metadataFrom('NFO file', {
      webpage_url: ids.find(video => video !== undefined)?.video_url,
      title: textAt(element, 'title'),
      description: textAt(element, 'plot'),
      upload_date: dayOf(textAt(element, 'aired', 'premiered')),
      channel: textAt(element, 'showtitle', 'studio'),
    })
  } catch {
    return undefined
  }
}

/** Names in lower case. yt-dlp writes the address into `purl` and `comment`; an MP4 has only the second. */
export function tagMetadata(tags: ReadonlyMap<string, string>): Metadata {
  const page = webUrl(tags.get('purl')?.trim())
  const comment = webUrl(tags.get('comment')?.trim())
  // A comment may be the address of the program that made the file.
  const is_video = comment !== undefined && platformVideoIdOf(comment) !== undefined
  return metadataFrom('tags', {
    webpage_url: page ?? (is_video ? comment : undefined),
    title: tags.get('title'),
    description: tags.get('description') ?? tags.get('synopsis'),
    upload_date: dayOf(tags.get('date')),
    channel: tags.get('artist'),
  })
}

/** The form of days in an info file: `20260501`. */
const dayOf = (text: string | undefined) =>
  /^(\d{4})-?(\d\d)-?(\d\d)(?!\d)/
    .exec(text?.trim() ?? '')
    ?.slice(1)
    .join('')

/** The video whose address the metadata names; `undefined`: it names no address. */
export function namedVideo({ info: { webpage_url } }: Metadata): VideoAddress | undefined {
  const video_url = webUrl(webpage_url?.trim())
  return video_url === undefined ? undefined : { video_id: videoIdAt(video_url), video_url }
}

/** What all sources together say about the video at this address. The best source is first. */
export function joinedMetadata(sources: Metadata[], video_url: string): LookedVideo | undefined {
  const joined: Record<string, unknown> = {}
  for (const { info } of sources) for (const [field, value] of Object.entries(info)) joined[field] ??= value
  const youtube_id = platformVideoIdOf(video_url)
  const info = VideoInfo.parse({
    ...joined,
    // Without the id, YouTube's own picture would not be found.
    ...(youtube_id?.length === 11 && { id: youtube_id, extractor_key: 'Youtube' }),
    _type: null,
    ie_key: null,
    webpage_url: video_url,
  })
  const looked = lookedVideoOf({ info, picture: null, format: null })
  if (!looked) return undefined
  const { channel } = looked
  const is_named_only = channel.platform_id === null && channel.page_url === null && channel.title !== null
  return {
    ...looked,
    // The file is from some time ago, so it does not say who may watch the video now.
    availability: null,
    live_status:
      looked.live_status === 'live' ? 'was_live' : looked.live_status === 'upcoming' ? null : looked.live_status,
    starts_at: null,
    // Videos of which only the name of the channel is known are in one channel for each name.
    channel: is_named_only ? { ...channel, platform_id: channel.title?.slice(0, 200) ?? null } : channel,
  }
}
