/** A worker that is killed in the middle of an import of an archive. */
import { expect, it, vi } from 'vitest'
import { accountsIn } from '../../src/db/account/accounts.ts'
import { libraryOf } from '../../src/db/library.ts'
import { archive_format } from '../../src/schema/imports/archive.ts'
import type { Import } from '../../src/schema/imports/import.ts'
import { aLockIsWaitedFor, useDatabase } from '../support/app/database.ts'
import { entry } from '../support/app/people.ts'
import { json } from '../support/process/journey.ts'
import { letSilencePass, useService } from '../support/process/service.ts'

const db = useDatabase()
const service = useService(db, { env: () => ({ REFRESH_INTERVAL_MINUTES: '0' }) })

const time = '2025-03-01T12:00:00+00:00'
const channels = Array.from({ length: 10 }, (_, nth) => ({
  channel_id: `c${nth}`,
  title: `Channel ${nth}`,
  rss_url: `https://videos.example/c${nth}.xml`,
  followed_at: time,
  rule: { auto_download: true, keep_newest: nth + 1 },
}))
const videos = Array.from({ length: 3000 }, (_, nth) => ({
  channel_id: `c${nth % 10}`,
  video_id: `v${String(nth).padStart(4, '0')}`,
  video_url: `https://videos.example/v${nth}`,
  title: `Video ${nth}`,
  published_at: time,
  first_seen_at: time,
  pinned: nth % 100 === 0,
}))
const viewings = Array.from({ length: 3000 }, (_, nth) => ({
  video_id: `v${String(nth * 2).padStart(4, '0')}`,
  seen_at: time,
}))
const archive = {
  format: archive_format,
  version: 1,
  exported_at: time,
  settings: { quality: '720' },
  channels,
  videos,
  viewings,
}
const items = 10 + 3000 + 3000 + 10 + 1

it('another worker completes the import of a killed worker, with everything once and counted once', async () => {
  const ask = await service.person('alice')
  const user = await accountsIn(db.sql).find('alice')
  const library = libraryOf(db.sql, user?.user_id ?? expect.unreachable())
  const { channel_id, title, rss_url } = channels[0] ?? expect.unreachable()
  await library.channels.save({ channel_id, title, rss_url }, [entry('v1500')])
  const { import_id } = (await (await ask('/api/archive', json(archive))).json()) as Import
  const progress = async () => (await (await ask(`/api/import/${import_id}`)).json()) as Import

  // The worker waits for this video in the middle of a part.
  const [waits, killed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = db.sql.begin(async tx => {
    await tx`select from video_entries where user_id = ${library.user_id} and video_id = 'v1500' for update`
    waits.resolve()
    await killed.promise
  })
  await waits.promise
  const doomed = await service.worker()
  await aLockIsWaitedFor(db.sql)
  const before = await progress()
  expect(before.content?.done).toBeGreaterThan(1000)
  expect(await doomed.stop('SIGKILL')).toBe('SIGKILL')
  killed.resolve()
  await holding
  expect(await progress()).toEqual(before)

  await letSilencePass(db.sql)
  await service.worker()
  const done = await vi.waitFor(
    async () => {
      const shown = await progress()
      if (!shown.finished_at) throw new Error(`not yet: ${JSON.stringify(shown.content)}`)
      return shown
    },
    { timeout: 120_000, interval: 300 },
  )

  expect(done.content).toMatchObject({ items, done: items, failed: 0, unknown: 0 })
  expect(done.content).toMatchObject({
    channels_added: 9,
    videos_added: 2999,
    pinned: 30,
    marked: 3000,
    marked_here: 1500,
  })
  const exported = (await (await ask('/api/archive')).json()) as typeof archive
  const ids = (list: { video_id: string }[]) => list.map(({ video_id }) => video_id)
  expect(ids(exported.videos)).toEqual(ids(videos))
  expect(ids(exported.viewings).toSorted()).toEqual(ids(viewings).toSorted())
  expect(exported.channels.map(({ rule }) => rule?.keep_newest)).toEqual(channels.map(({ rule }) => rule.keep_newest))
  expect(exported.videos.filter(({ pinned }) => pinned)).toHaveLength(30)
  expect(exported.settings.quality).toBe('720')
  const [left] = await db.sql`
    select (select count(*) from import_parts)                                          as parts,
           (select count(*) from graphile_worker.jobs where key like 'import:%')        as jobs,
           (select count(*) from graphile_worker.jobs where task_identifier = 'download') as downloads`
  expect(left).toEqual({ parts: 0, jobs: 0, downloads: 0 })
})
