/** Reads SponsorBlock's answer for the first characters of a hash: the segments of several videos. Nothing in it is trusted. */
import { z } from 'zod'
import { Category, type Segment } from '../../schema/sources/segment.ts'

const Videos = z.array(z.unknown())
const OfVideo = z.object({ videoID: z.string(), segments: z.array(z.unknown()) })
const Given = z.object({
  segment: z.tuple([z.number().nonnegative(), z.number().nonnegative()]),
  category: Category,
  actionType: z.literal('skip'),
})

const most = 200
/** A shorter one is not worth a jump. */
const shortest_s = 0.5

/** The segments of one video, in the order of their times; `undefined`: this is not such an answer. */
export function segmentsIn(text: string, youtube_id: string): Segment[] | undefined {
  const { data: videos } = Videos.safeParse(parsed(text))
  const found = videos?.flatMap(video => OfVideo.safeParse(video).data ?? [])
  const own = found?.filter(({ videoID }) => videoID === youtube_id).flatMap(({ segments }) => segments)
  return own
    ?.flatMap(segment => Given.safeParse(segment).data ?? [])
    .map(({ segment: [start_seconds, end_seconds], category }) => ({ start_seconds, end_seconds, category }))
    .filter(({ start_seconds, end_seconds }) => end_seconds - start_seconds >= shortest_s)
    .toSorted((one, other) => one.start_seconds - other.start_seconds)
    .slice(0, most)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
