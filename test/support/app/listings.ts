/** In this process: listings of channels that a test makes up. */
import type { ChannelLister } from '../../../src/domain/listings/list-channel.ts'
import type { ListedEntry } from '../../../src/schema/sources/listing.ts'
import type { Failure } from '../../../src/ytdlp/failures/failure.ts'

export const listed = (video_id: string, more: Partial<ListedEntry> = {}): ListedEntry => ({
  video_url: `https://www.youtube.com/watch?v=${video_id}`,
  title: `Listed ${video_id}`,
  thumbnail_url: `https://i.ytimg.com/vi/${video_id}/hq.jpg`,
  published_at: null,
  published_precision: null,
  duration_seconds: 63,
  live_status: null,
  availability: null,
  ...more,
})

/** An id of YouTube for a number. */
export const youtubeId = (n: number): string => `video${String(n).padStart(6, '0')}`

const channel = { platform_id: null, title: null, page_url: null, image_url: null }

/** Lists these batches. `at`: called before each batch. `failure`: the list breaks off after the last one. */
export const listing =
  (
    batches: ListedEntry[][],
    { at, failure }: { at?: (batch: number) => unknown; failure?: Failure } = {},
  ): ChannelLister =>
  async ({ signal, onEntries }) => {
    let count = 0
    for (const [n, batch] of batches.entries()) {
      await at?.(n)
      signal.throwIfAborted()
      await onEntries(batch)
      count += batch.length
    }
    return failure
      ? { listed: count, channel, end: 'incomplete', failure }
      : { listed: count, channel, end: 'complete' }
  }
