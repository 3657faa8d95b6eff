/** In a browser: a part of a video is skipped, and the skip is undone. */
import { expect, it } from 'vitest'
import type { Segment } from '../../src/schema/sources/segment.ts'
import type { Person } from '../support/app/people.ts'
import { stopTime } from '../support/browser/clock.ts'
import { expectSoon, jumpsOf, media, play, ready, seekTo, time, useWatching } from '../support/browser/watching.ts'

let known: Segment[] = []
const site = useWatching({ askSegments: async () => known })
const without = useWatching({ askSegments: () => Promise.reject(new Error('the service is down')) })

async function watching(segments: Segment[]) {
  known = segments
  const id = crypto.randomUUID().replaceAll('-', '').slice(0, 11)
  const prepare = ({ user }: Person) => site.sql`
    update video_entries set video_url = ${`https://www.youtube.com/watch?v=${id}`}
    where  user_id = ${user.user_id} and video_id = 'second'`
  const { alice, page, faults } = await site.watching({}, { prepare })
  await ready(page)
  return { alice, page, faults }
}

it('a sponsor is skipped with a message, Undo plays it, and other kinds are left', async () => {
  const { page, faults } = await watching([
    { start_seconds: 2, end_seconds: 4, category: 'intro' },
    { start_seconds: 10, end_seconds: 40, category: 'sponsor' },
  ])
  await page.getByText('0:10–0:40 (sponsor)').waitFor()
  await page.getByText('CC BY-NC-SA 4.0').waitFor()
  expect(await page.locator('.marks > .segment').count()).toBe(1)
  await seekTo(page, 8.5)
  // The message with Undo stays.
  await stopTime(page)
  const jumps = await jumpsOf(page)
  await play(page)
  await page.getByText('Skipped 0:30').waitFor()
  await expectSoon(() => time(page)).toBeGreaterThanOrEqual(40)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expectSoon(jumps).toEqual([expect.closeTo(40, 0), expect.closeTo(10, 0)])
  await expectSoon(() => time(page)).toBeGreaterThan(11)
  expect(await jumps()).toHaveLength(2)
  expect(faults).toEqual([])
})

it('parts that overlap are skipped together, and Undo by the keyboard keeps the focus in the player', async () => {
  const { page } = await watching([
    { start_seconds: 10, end_seconds: 20, category: 'sponsor' },
    { start_seconds: 15, end_seconds: 40, category: 'sponsor' },
  ])
  await page.locator('.marks > .segment').nth(1).waitFor({ state: 'attached' })
  await seekTo(page, 9)
  await stopTime(page)
  const jumps = await jumpsOf(page)
  await play(page)
  await page.getByText('Skipped 0:30').waitFor()
  await expectSoon(() => time(page)).toBeGreaterThanOrEqual(40)
  await page.getByRole('button', { name: 'Undo' }).press('Enter')
  await expectSoon(jumps).toEqual([expect.closeTo(40, 0), expect.closeTo(10, 0)])
  expect(await page.evaluate(() => document.activeElement?.closest('.stage') !== null)).toBe(true)
})

it('in full screen, a video of which nothing is skipped plays whole after one of which something is', async () => {
  const { alice, page } = await watching([{ start_seconds: 10, end_seconds: 40, category: 'sponsor' }])
  await site.put(alice, 'third')
  await page.reload()
  await ready(page)
  await page.getByText('0:10–0:40 (sponsor)').waitFor()
  await site.sql`update channels set plays_whole = true where user_id = ${alice.user.user_id}`
  await page.getByRole('button', { name: 'Full screen' }).click()
  await expectSoon(() => page.evaluate(() => document.fullscreenElement?.id)).toBe('stage')
  await page.keyboard.press('n')
  await expectSoon(() => page.locator('h1').textContent()).toBe('Video third')
  await media(page, video => {
    video.currentTime = 9
  })
  await expectSoon(() => time(page)).toBeGreaterThan(10.5)
  expect(await time(page)).toBeLessThan(35)
})

it('without the service the video plays whole', async () => {
  const { page, faults } = await without.watching()
  await ready(page)
  await play(page)
  await expectSoon(() => time(page)).toBeGreaterThan(1)
  expect(await page.locator('.segments').isVisible()).toBe(false)
  expect(faults).toEqual([])
})
