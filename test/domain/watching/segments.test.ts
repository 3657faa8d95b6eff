/** When SponsorBlock is asked about a video, and what is given meanwhile. */
import { describe, expect, it } from 'vitest'
import { segmentsStored } from '../../../src/db/watching/segments.ts'
import { isDue, segmentFinder } from '../../../src/domain/watching/segments.ts'
import type { SegmentAsker } from '../../../src/feed/fetch/ask-sponsorblock.ts'
import type { Segment } from '../../../src/schema/sources/segment.ts'
import { useDatabase } from '../../support/app/database.ts'
import { entry, person } from '../../support/app/people.ts'

const db = useDatabase()
const part = { start_seconds: 5, end_seconds: 20, category: 'sponsor' } as const
const start = new Date('2026-11-20T12:00:00Z')
const after = (hours: number) => new Date(start.getTime() + hours * 3_600_000)

let numbers = 0
/** A person with a video of YouTube that was published a day ago, and a finder whose clock and service the test has. */
async function scene(ask: SegmentAsker, video_url?: string) {
  const youtube_id = `video${String(++numbers).padStart(6, '0')}`
  const alice = await person(db.sql, 'alice')
  const video = entry('v', {
    video_url: video_url ?? `https://www.youtube.com/watch?v=${youtube_id}`,
    published_at: after(-24),
    duration_seconds: 600,
  })
  await alice.library.channels.save({ channel_id: 'slow', title: 'Slow', rss_url: 'https://videos.example/s' }, [video])
  let now = start
  const find = segmentFinder({ store: segmentsStored(db.sql), ask, now: () => now })
  return {
    alice,
    find: (owner = alice) => find(owner.library, 'v'),
    at: (hours: number) => {
      now = after(hours)
    },
  }
}

/** A service that counts how often it is asked. */
function service(answer: () => Segment[] = () => [part]) {
  const asked: string[] = []
  const ask: SegmentAsker = async id => {
    asked.push(id)
    return answer()
  }
  return { asked, ask }
}

describe('the segments of a video', () => {
  it('they are asked for once, for all people and many requests at a time', async () => {
    const { asked, ask } = service()
    const { find } = await scene(ask)
    expect(await Promise.all([find(), find(), find()])).toEqual([[part], [part], [part]])
    expect(await find()).toEqual([part])
    expect(asked).toHaveLength(1)
  })

  it('after a failure the service rests, and what is known is given', async () => {
    let fails = false
    const { asked, ask } = service(() => {
      if (fails) throw new Error('down')
      return [part]
    })
    const { find, at } = await scene(ask)
    await find()
    fails = true
    // The time of the first answer is that of the database.
    await db.sql`update video_segments set fetched_at = ${after(-30)}`
    expect(await find()).toEqual([part])
    expect(await find()).toEqual([part])
    expect(asked).toHaveLength(2)
    at(0.1)
    await find()
    expect(asked).toHaveLength(3)
  })

  it('a part beyond the end of the video is left out', async () => {
    const { ask } = service(() => [part, { ...part, end_seconds: 700 }])
    expect(await (await scene(ask)).find()).toEqual([part])
  })

  it('videos of other sites are not asked about, and those of other people are not found', async () => {
    const { asked, ask } = service()
    const { find } = await scene(ask, 'https://videos.example/watch?v=a-b_c1D2e3F')
    expect(await find()).toEqual([])
    await expect(find(await person(db.sql, 'bob'))).rejects.toMatchObject({ code: 'not_found' })
    expect(asked).toEqual([])
  })
})

it.each([
  ['a young video after a day', -24, 25, true],
  ['a young video after some hours', -24, 23, false],
  ['an old video after a day', -24 * 30, 25, false],
  ['an old video after a month', -24 * 30, 24 * 31, true],
])('%s: asked again is %s %s %s', (_, published, hours, expected) => {
  const video = { published_at: after(published), first_seen_at: start }
  expect(isDue({ fetched_at: start }, video, after(hours))).toBe(expected)
})
