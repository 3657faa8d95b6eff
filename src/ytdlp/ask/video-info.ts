/**
 * The form of what yt-dlp prints about a video or a list by the templates of `command.ts`, and what we take from it, within bounds. Pure.
 */
import { z } from 'zod'
import { type Availability, Facts, type LiveStatus, type Precision } from '../../schema/sources/facts.ts'
import { WebUrl } from '../../schema/sources/feed.ts'
import type { ListedEntry, LookedVideo, PlatformChannel } from '../../schema/sources/listing.ts'
import { hasControls } from '../../schema/values/address.ts'
import { cut, max_description, siteTitle } from '../../schema/values/stored.ts'

/** A field of the wrong form counts as missing. JSON may escape what the database and addresses cannot contain. */
const Text = z
  .string()
  .transform(text => text.replaceAll('\0', '').toWellFormed())
  .nullish()
  .catch(null)
const Amount = z.number().nullish().catch(null)

export const VideoInfo = z.object({
  /** `url`: an entry of a list, whose page was not requested. */
  _type: Text,
  id: Text,
  url: Text,
  webpage_url: Text,
  title: Text,
  /** The title without the time that yt-dlp adds to that of a live video. */
  fulltitle: Text,
  duration: Amount,
  timestamp: Amount,
  upload_date: Text,
  release_timestamp: Amount,
  live_status: Text,
  availability: Text,
  age_limit: Amount,
  ie_key: Text,
  extractor_key: Text,
  description: Text,
  thumbnail: Text,
  channel: Text,
  channel_id: Text,
  channel_url: Text,
  uploader: Text,
  uploader_url: Text,
  playlist_channel: Text,
  playlist_channel_id: Text,
  playlist_uploader: Text,
  /** Only of a list. */
  playlist_count: Amount,
})
export type VideoInfo = z.infer<typeof VideoInfo>

/** `picture`: the largest one. `format`: one that can be downloaded. */
export const VideoLine = z.object({ info: VideoInfo, picture: Text, format: Text })
export type VideoLine = z.infer<typeof VideoLine>

export const ListLine = z.object({
  info: VideoInfo,
  pictures: z
    .array(z.object({ id: Text, url: Text }))
    .nullish()
    .catch(null),
})
export type ListLine = z.infer<typeof ListLine>

/** `undefined`: the entry has no address that can be stored. */
export function listedEntryOf({ info, picture }: VideoLine): ListedEntry | undefined {
  const video_url = pageOf(info)
  if (video_url === undefined) return undefined
  const hidden = info._type === 'url' && isYouTube(info.ie_key) ? hidden_titles.get(info.title ?? '') : undefined
  const date = dateOf(info)
  return {
    video_url,
    title: hidden ? null : siteTitle(info.fulltitle ?? info.title),
    thumbnail_url: pictureOf(info) ?? webUrl(picture) ?? webUrl(info.thumbnail) ?? null,
    published_at: date?.at ?? null,
    published_precision: date?.precision ?? null,
    // While a recording is processed, its length grows.
    duration_seconds: info.live_status === 'post_live' ? null : durationOf(info.duration),
    live_status: live_statuses[info.live_status ?? ''] ?? null,
    availability: hidden ?? availabilityIn(info),
  }
}

/** `undefined`: yt-dlp named no address that can be stored. */
export function lookedVideoOf(line: VideoLine): LookedVideo | undefined {
  const entry = listedEntryOf(line)
  const { info } = line
  return (
    entry && {
      ...entry,
      description: info.description == null ? null : cut(info.description, max_description),
      starts_at: entry.live_status === 'upcoming' ? (timeOf(info.release_timestamp) ?? null) : null,
      channel: channelOf(info, null),
    }
  )
}

/** The channel as each entry of a list names it. */
export const channelOfEntry = ({ info }: VideoLine): PlatformChannel =>
  channelOf({ channel: info.playlist_channel ?? info.playlist_uploader, channel_id: info.playlist_channel_id }, null)

/** The channel as the list names it, with its picture. */
export const channelOfList = ({ info, pictures }: ListLine): PlatformChannel =>
  channelOf(info, pictures?.find(({ id }) => /^avatar/.test(id ?? ''))?.url ?? null)

type ChannelFields = Partial<Pick<VideoInfo, 'channel' | 'channel_id' | 'channel_url' | 'uploader' | 'uploader_url'>>

function channelOf(named: ChannelFields, image: string | null): PlatformChannel {
  const { channel, channel_id, channel_url, uploader, uploader_url } = named
  return {
    platform_id: channel_id && channel_id.length <= 200 ? channel_id : null,
    title: siteTitle(channel ?? uploader),
    page_url: webUrl(channel_url) ?? webUrl(uploader_url) ?? null,
    image_url: webUrl(image) ?? null,
  }
}

export const unknown_channel: PlatformChannel = { platform_id: null, title: null, page_url: null, image_url: null }

/** YouTube lists hidden videos of a playlist under these titles. */
const hidden_titles = new Map<string, Availability>([
  ['[Private video]', 'private'],
  ['[Deleted video]', 'removed'],
])

const isYouTube = (key: string | null | undefined) => /^youtube/i.test(key ?? '')

/** YouTube's picture in the size that its feeds name. Every video has it, which is not so for larger ones. */
const pictureOf = ({ id, ie_key, extractor_key }: VideoInfo): string | undefined =>
  isYouTube(ie_key ?? extractor_key) && /^[\w-]{11}$/.test(id ?? '')
    ? `https://i.ytimg.com/vi/${id}/hqdefault.jpg`
    : undefined

/** The `url` of an entry is its page; the `url` of a video may be a media file. */
function pageOf({ _type, url, webpage_url }: VideoInfo): string | undefined {
  const [first, second] = _type === 'url' ? [url, webpage_url] : [webpage_url, undefined]
  return webUrl(first) ?? webUrl(second)
}

/** Leaves out what yt-dlp's extractors leave for each other in the fragment. `undefined`: it is no address of the web, or none to store. */
export function webUrl(text: string | null | undefined): string | undefined {
  const url = (text ?? '').replace(/#__youtubedl_smuggle=.*$/s, '')
  return WebUrl.safeParse(url).success && !hasControls(url) ? url : undefined
}

function durationOf(seconds: number | null | undefined): number | null {
  const { data } = Facts.shape.duration_seconds.safeParse(seconds == null ? null : Math.ceil(seconds))
  return data ?? null
}

/** YouTube's lists say only "3 weeks ago", from which yt-dlp computes a time that looks exact. */
function dateOf(info: VideoInfo): { at: Date; precision: Precision } | undefined {
  const at = timeOf(info.timestamp)
  if (at) return { at, precision: info._type === 'url' && isYouTube(info.ie_key) ? 'approximate' : 'exact' }
  const day = dayOf(info.upload_date)
  return day && { at: day, precision: 'day' }
}

/** Until the year 3000. */
const timeOf = (seconds: number | null | undefined): Date | undefined =>
  seconds != null && seconds > 0 && seconds < 32_503_680_000 ? new Date(Math.round(seconds * 1000)) : undefined

function dayOf(text: string | null | undefined): Date | undefined {
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)$/.exec(text ?? '') ?? []
  if (year === undefined) return undefined
  const at = new Date(`${year}-${month}-${day}T00:00:00Z`)
  // February has no 31st day.
  return at.getUTCDate() === Number(day) ? timeOf(at.getTime() / 1000) : undefined
}

const live_statuses: Record<string, LiveStatus> = {
  not_live: 'none',
  is_upcoming: 'upcoming',
  is_live: 'live',
  was_live: 'was_live',
  post_live: 'was_live',
}

function availabilityIn({ availability, age_limit }: VideoInfo): Availability | null {
  const said = availabilities[availability ?? '']
  const is_open = said === undefined || said === 'public' || said === 'unlisted'
  return is_open && (age_limit ?? 0) >= 18 ? 'age_restricted' : (said ?? null)
}

const availabilities: Record<string, Availability> = {
  public: 'public',
  unlisted: 'unlisted',
  private: 'private',
  subscriber_only: 'members_only',
  premium_only: 'members_only',
}
