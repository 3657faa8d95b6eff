/** What pages and programs are told while downloads wait for DOWNLOAD_HOURS. */
import { beforeEach, expect, it } from 'vitest'
import type { Download } from '../../../src/schema/downloads/download.ts'
import { useApp } from '../../support/app/app.ts'
import { administrator, type Person, personWith } from '../../support/app/people.ts'

/** "14:05" in UTC, this many hours from now. */
const timeIn = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16)
const hours = { from: timeIn(2), to: timeIn(4) }

const { ask, sql, jsonAt, textAt } = useApp({
  DOWNLOAD_HOURS: [hours],
  DOWNLOAD_RATE: [{ span: null, bytes_s: 2_000_000 }],
  TZ: 'UTC',
})
let alice: Person
beforeEach(async () => {
  alice = await personWith(sql, 'alice', 'kitchen', ['waits', 'other'])
  await ask('/api/download/waits', { as: alice, method: 'POST' })
})

it('a waiting download says when the hours begin, and others do not', async () => {
  const statuses = await ask('/api/download/status?video_id=waits&video_id=other', { as: alice })
  const [waits, other] = ((await statuses.json()) as { statuses: Download[] }).statuses
  expect(String(waits?.hours_begin_at).slice(11, 16)).toBe(hours.from)
  expect(new Date(waits?.hours_begin_at ?? 0).getTime()).toBeGreaterThan(Date.now() + 3_600_000)
  expect(other?.hours_begin_at).toBeNull()
})

it('the downloads page, the card and the watch page say it, and what starts a video at once', async () => {
  const pages = await Promise.all(
    ['/downloads', '/channels/kitchen', '/watch/waits'].map(async path => textAt(path, { as: alice })),
  )
  for (const page of pages) expect(page).toMatch(/Starts <time data-clock="at"/)
  expect(pages[0]).toMatch(
    /Downloads start again <time data-clock="at"[^>]*>.*?<\/time>\. Watch now starts one at once\./,
  )
  expect(pages[2]).toContain('action="/videos/waits/watch"')
})

it('the status page says when downloads run, and how fast', async () => {
  const operator = await administrator(sql, 'operator')
  const [page, json] = await Promise.all([textAt('/health', { as: operator }), jsonAt('/api/health', { as: operator })])
  expect(page).toContain(`From ${hours.from} to ${hours.to} (UTC), closed now · 2.0 MB/s per worker now`)
  expect(json).toMatchObject({
    download_times: {
      hours: `from ${hours.from} to ${hours.to}`,
      time_zone: 'UTC',
      begin_at: expect.stringContaining(`T${hours.from}:00.000Z`),
      bytes_per_second: 2_000_000,
    },
  })
})
