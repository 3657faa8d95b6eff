/**
 * The segments of a video that the player can skip: stored segments, or the answer of SponsorBlock. Many people change the segments of a
 * young video, so the service is asked about it more often. A service that fails is left alone for a while, and stored segments serve
 * meanwhile.
 */
import type { Library } from '../../db/library.ts'
import type { KnownSegments, SegmentStore } from '../../db/watching/segments.ts'
import type { SegmentAsker } from '../../feed/fetch/ask-sponsorblock.ts'
import { platformVideoIdOf } from '../../feed/platforms/by-address.ts'
import { isYouTube } from '../../feed/platforms/youtube.ts'
import { currentTime } from '../../runtime/clock.ts'
import type { Segment } from '../../schema/sources/segment.ts'
import type { Video } from '../../schema/videos/video.ts'
import { getVideo, noSuchChannel } from '../get.ts'

/** Throws `not_found` for a video that is not in the library. */
export type FindSegments = (library: Library, video_id: string) => Promise<Segment[]>

/** `ask`: absent if the service is turned off; then no video has segments. */
type SegmentParts = { store: SegmentStore; ask?: SegmentAsker | undefined; now?: () => Date }

export function segmentFinder({ store, ask, now = currentTime }: SegmentParts): FindSegments {
  const asking = new Map<string, Promise<Segment[] | undefined>>()
  let rest = { failures: 0, until: 0 }

  async function askAnew(asker: SegmentAsker, youtube_id: string): Promise<Segment[] | undefined> {
    try {
      const segments = await asker(youtube_id)
      rest = { failures: 0, until: 0 }
      await store.save(youtube_id, segments)
      return segments
    } catch {
      const failures = rest.failures + 1
      rest = { failures, until: now().getTime() + restAfter(failures) }
      return undefined
    }
  }

  /** Requests for the same video share one answer. */
  function askOnce(asker: SegmentAsker, youtube_id: string) {
    const running = asking.get(youtube_id)
    if (running) return running
    const answer = askAnew(asker, youtube_id).finally(() => asking.delete(youtube_id))
    asking.set(youtube_id, answer)
    return answer
  }

  return async (library, video_id) => {
    const video = await getVideo(library, video_id)
    const youtube_id = youtubeIdOf(video)
    if (!ask || youtube_id === undefined) return []
    const known = await store.find(youtube_id)
    const is_needed = isDue(known, video, now()) && now().getTime() >= rest.until
    const asked = is_needed ? await askOnce(ask, youtube_id) : undefined
    return within(asked ?? known?.segments ?? [], video.duration_seconds)
  }
}

const day_ms = 86_400_000

/** Whether to ask again: daily in the first two weeks of the video, then monthly. */
export function isDue(
  known: Pick<KnownSegments, 'fetched_at'> | undefined,
  { published_at, first_seen_at }: Pick<Video, 'published_at' | 'first_seen_at'>,
  now: Date,
): boolean {
  if (!known) return true
  const is_young = now.getTime() - (published_at ?? first_seen_at).getTime() < 14 * day_ms
  return now.getTime() - known.fetched_at.getTime() >= (is_young ? 1 : 30) * day_ms
}

/** Milliseconds of rest: a minute, doubled with each failure, at most an hour. */
const restAfter = (failures: number) => Math.min(60_000 * 2 ** (failures - 1), 3_600_000)

/** Lengths of videos are rounded. */
const tolerance_s = 2

const within = (segments: Segment[], duration_seconds: number | null) =>
  segments.filter(({ end_seconds }) => duration_seconds === null || end_seconds <= duration_seconds + tolerance_s)

function youtubeIdOf({ video_url }: Video): string | undefined {
  const address = URL.parse(video_url)
  return address && isYouTube(address.hostname) ? platformVideoIdOf(video_url) : undefined
}

/** Chooses whether the player skips segments in the videos of a channel. */
export async function choosePlaysWhole(
  library: Library,
  channel_id: string,
  plays_whole: boolean,
): Promise<{ plays_whole: boolean }> {
  if (!(await library.settings.setPlaysWhole(channel_id, plays_whole))) throw noSuchChannel()
  return { plays_whole }
}
