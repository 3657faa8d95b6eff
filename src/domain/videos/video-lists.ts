/** The videos of the followed channels: one channel's, the newest of all, or a single one. */
import { isDeepStrictEqual } from 'node:util'
import type { Library } from '../../db/library.ts'
import type { VideoFilter } from '../../db/videos/videos.ts'
import type { FileOutlook } from '../../schema/bin/bin.ts'
import type { Channel } from '../../schema/channels/channel.ts'
import type { NamedGroup } from '../../schema/channels/group.ts'
import type { Chapter } from '../../schema/sources/facts.ts'
import type { Category } from '../../schema/sources/segment.ts'
import { inPreferredOrder } from '../../schema/sources/subtitle-languages.ts'
import type { TranscriptAbout } from '../../schema/sources/subtitles.ts'
import type { Neighbours, News, Video } from '../../schema/videos/video.ts'
import {
  bounds_of_length,
  lastingOf,
  type MonthOfVideos,
  type NewFilter,
  type NewPageQuery,
  type ShownFilter,
} from '../../schema/videos/video-api.ts'
import type { Look } from '../../schema/watching/viewing.ts'
import { getChannel, getVideo } from '../get.ts'
import { nextLook } from './watching-state.ts'

/** In which months a channel, or all channels together, have videos. */
export async function listMonths(library: Library, channel_id?: string): Promise<MonthOfVideos[]> {
  if (channel_id !== undefined) await getChannel(library, channel_id)
  return library.videos.months(channel_id)
}

/** A channel that does not exist is reported before any fault of the filter. */
export const faultsAfter = <T>(finding: Promise<unknown>, reading: Promise<T>): Promise<T> =>
  reading.catch(async fault => {
    await finding
    throw fault
  })

/**
 * The newest videos of all channels, without older ones that were loaded, or those from a month on. Records this look, so that the next one
 * knows which videos are new.
 */
export async function newestVideos(
  library: Library,
  filter: Omit<VideoFilter, 'channel_id'>,
  { last_look, now }: { last_look: Look; now: Date },
): Promise<News> {
  const { cursor, seen, on_disk, later, dismissed, month, live, min_seconds, max_seconds, group, shorts } = filter
  // Lists that a person made or asks for have older videos too.
  const is_news = !seen && !on_disk && !later && !dismissed && month === undefined
  const is_first = cursor === undefined && is_news && (live ?? min_seconds ?? max_seconds) === undefined
  const [videos, unfinished] = await Promise.all([
    library.videos.listed({ ...filter, ...(is_news && { older: false }) }),
    is_first ? library.viewings.unfinished({ group, shorts, limit: 6 }) : [],
  ])
  const look = nextLook(last_look, now)
  if (look !== last_look) await library.new_page.recordLook(look)
  return { videos, new_since: look.new_since, unfinished }
}

type WatchedVideo = {
  video: Video
  channel: Channel | undefined
  neighbours: Neighbours
  /** The chapters that the site names; empty: no chapters are known. */
  chapters: Chapter[]
  /** The kinds of parts that the player skips. */
  skips: Category[]
  file: FileOutlook
  transcript: TranscriptAbout | undefined
}

/**
 * A video with its channel, and the videos next to it there; its subtitles in the order that the person prefers. Workers hear of a video
 * that is not on disk, to get ready for its download.
 */
export async function watchVideo(library: Library, video_id: string, bin_hours = 0): Promise<WatchedVideo> {
  const video = await getVideo(library, video_id)
  const [channel, neighbours, chapters, skips, settings, file, transcript] = await Promise.all([
    library.channels.find(video.channel_id),
    library.videos.neighbours(video),
    library.videos.chapters(video_id),
    library.settings.skipsIn(video.channel_id),
    library.settings.get(),
    fileOutlook(library, video, bin_hours),
    library.transcripts.about(video_id),
    video.download_status === 'completed' ? undefined : library.downloads.expectWatch(),
  ])
  const subtitles = inPreferredOrder(video.subtitles, settings.subtitle_languages)
  return { video: { ...video, subtitles }, channel, neighbours, chapters, skips, file, transcript }
}

export async function fileOutlook(
  { bin, added }: Library,
  { video_id, download_status, source }: Pick<Video, 'video_id' | 'download_status' | 'source'>,
  bin_hours: number,
): Promise<FileOutlook> {
  const is_here = download_status === 'completed'
  const [only_copies, restorable_until, can_forget] = await Promise.all([
    is_here ? bin.onlyCopies([video_id]) : 0,
    is_here ? undefined : bin.restorableUntil(video_id, bin_hours),
    source === 'address' && added.canForget(video_id),
  ])
  return { is_only_copy: only_copies > 0, restorable_until, can_forget }
}

/**
 * Which videos the page New shows: the videos that its address asks for, or the videos of the remembered filter.
 *
 * A group, Unwatched and No Shorts are remembered, so that New is the same on the next visit and on another device. Everything else is
 * looked up once: an address with any of it changes nothing that is remembered. `may_remember`: not when another site has sent the person
 * here.
 */
export async function shownOnNew(
  library: Library,
  { with: is_kept, show, cursor, ...query }: NewPageQuery,
  { groups, remembered: stored, may_remember }: { groups: NamedGroup[]; remembered: NewFilter; may_remember: boolean },
): Promise<ShownFilter> {
  const known = ({ group, ...filter }: NewFilter): NewFilter =>
    groups.some(({ group_id }) => group_id === group) ? { ...filter, group } : filter
  const asked = known(lastingOf(query))
  const { seen, on_disk, length, live, later, dismissed, month, select } = query
  const passing = { on_disk, length, live, later, dismissed, month }
  if (seen === 'true' || cursor !== undefined || !isEmpty(passing))
    return { ...asked, ...(seen && { seen }), ...passing, select }

  const remembered = known(lastingOf(stored))
  const kept = is_kept ? { ...remembered, group: undefined, ...asked } : asked
  const chosen = isEmpty(kept) && !is_kept && !show ? remembered : lastingOf(kept)
  if (may_remember && !isDeepStrictEqual(chosen, remembered)) await library.new_page.saveFilter(chosen)
  return { ...chosen, select }
}

const isEmpty = (filter: object) => Object.values(filter).every(limit => limit === undefined)

/** The filter as the library takes it. Hidden videos are left out unless they are asked for. */
export const wantedOf = ({ seen, on_disk, shorts, length, live, group, later, dismissed, month }: ShownFilter) =>
  ({
    seen: booleanOf(seen),
    on_disk: booleanOf(on_disk),
    shorts: shorts && false,
    ...(length && bounds_of_length[length]),
    live: booleanOf(live),
    group,
    later: booleanOf(later),
    dismissed: dismissed !== undefined,
    month,
  }) satisfies Partial<VideoFilter>

const booleanOf = (given: 'true' | 'false' | undefined) => given && given === 'true'
