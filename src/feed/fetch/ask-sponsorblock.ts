/** Asks SponsorBlock for the segments of a video. It gets only the first characters of a hash, which many videos share. */
import { hash } from 'node:crypto'
import { DomainError } from '../../errors.ts'
import { turnsFor } from '../../runtime/turns.ts'
import { categories, type Segment } from '../../schema/sources/segment.ts'
import { segmentsIn } from '../formats/segments.ts'
import { SiteRefusal } from './answer.ts'
import { type FetchOptions, fetchDocument } from './fetch.ts'
import { withMemory } from './memory.ts'

/** Throws a `DomainError` when the service does not answer as it should. */
export type SegmentAsker = (youtube_id: string) => Promise<Segment[]>

const limits = { timeout_ms: 6000, max_bytes: 2 * 1024 * 1024, max_redirects: 2 }
/** At once, and for one prefix. */
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
          // It knows no video of this prefix.
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
