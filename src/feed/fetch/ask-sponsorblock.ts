/**
 * Asks SponsorBlock which parts of a video to skip. SponsorBlock gets only the first characters of a hash, which many videos share, and
 * answers for all of them. Nothing in the answer is trusted.
 */
import { hash } from 'node:crypto'
import { z } from 'zod'
import { DomainError } from '../../errors.ts'
import { jsonIn } from '../../runtime/json.ts'
import { turnsFor } from '../../runtime/turns.ts'
import { Category, categories, type Segment } from '../../schema/sources/segment.ts'
import { SiteRefusal } from './answer.ts'
import { type FetchOptions, fetchDocument } from './fetch.ts'
import { withMemory } from './memory.ts'

/** Throws a `DomainError` when the service does not answer as it should. */
export type SegmentAsker = (youtube_id: string) => Promise<Segment[]>

const limits = { timeout_ms: 6000, max_bytes: 2 * 1024 * 1024, max_redirects: 2 }
/** `most`: requests at once. `of_one`: for one prefix. */
const inTurn = turnsFor({ most: 4, of_one: 1 })

export function createSegmentAsker({ url, ...options }: FetchOptions & { url: string }): SegmentAsker {
  return youtube_id => {
    const prefix = prefixOf(youtube_id)
    return inTurn(prefix, () =>
      withMemory('segments', async share => {
        try {
          const { body } = await fetchDocument(
            addressOf(url, prefix),
            { limits, accept: 'application/json', ...options },
            share,
          )
          const segments = segmentsIn(new TextDecoder().decode(body), youtube_id)
          if (!segments)
            throw new DomainError('feed_failed', 'SponsorBlock sent something that is not a list of segments.')
          return segments
        } catch (fault) {
          // SponsorBlock knows no video of this prefix.
          if (fault instanceof SiteRefusal && fault.answered === 404) return []
          throw fault
        }
      }),
    )
  }
}

const prefixOf = (youtube_id: string) => hash('sha256', youtube_id).slice(0, 4)

function addressOf(url: string, prefix: string): string {
  const asked = new URL(`${url.replace(/\/+$/, '')}/api/skipSegments/${prefix}`)
  asked.searchParams.set('categories', JSON.stringify(categories))
  return asked.href
}

const max_segments = 200
/** A shorter part is not worth a jump. */
const min_segment_s = 0.5

/** The segments of one video, in the order of their times; `undefined`: the text is not a list of videos. */
export function segmentsIn(text: string, youtube_id: string): Segment[] | undefined {
  const { data } = Videos.safeParse(jsonIn(text))
  const videos = data?.flatMap(video => OfVideo.safeParse(video).data ?? [])
  const own = videos?.filter(({ videoID }) => videoID === youtube_id).flatMap(({ segments }) => segments)
  return own
    ?.flatMap(segment => PartToSkip.safeParse(segment).data ?? [])
    .map(({ segment: [start_seconds, end_seconds], category }) => ({ start_seconds, end_seconds, category }))
    .filter(({ start_seconds, end_seconds }) => end_seconds - start_seconds >= min_segment_s)
    .toSorted((one, other) => one.start_seconds - other.start_seconds)
    .slice(0, max_segments)
}

const Videos = z.array(z.unknown())
const OfVideo = z.object({ videoID: z.string(), segments: z.array(z.unknown()) })
const PartToSkip = z.object({
  segment: z.tuple([z.number().nonnegative(), z.number().nonnegative()]),
  category: Category,
  actionType: z.literal('skip'),
})
