/** A download that its person wants to watch starts at once, on a real database. */
import type { JobHelpers } from 'graphile-worker'
import { beforeEach, expect, it, vi } from 'vitest'
import { earliestStart, startToWatch } from '../../../jobs/tasks/download-slots.ts'
import { watchNowTask } from '../../../jobs/tasks/downloads.ts'
import { beatWorker } from '../../../src/db/service/everyone/operations.ts'
import { failureOf } from '../../../src/ytdlp/failures/read-error.ts'
import { useDatabase } from '../../support/app/database.ts'
import { idleParts } from '../../support/app/parts.ts'
import { entry, type Person, person, personWith } from '../../support/app/people.ts'

const { sql } = useDatabase()
const limits = { host_concurrency: 2, host_pause_seconds: 600, isOurs: () => false }
const video_ids = ['one', 'two', 'three', 'four', 'five', 'six', 'seven']
let alice: Person

beforeEach(async () => {
  await sql`delete from channels`
  await sql`truncate graphile_worker._private_jobs, workers, host_pauses`
  alice = await person(sql, 'alice')
  const videos = video_ids.map(id => entry(id, { video_url: `https://videos.example/${id}` }))
  const channel = { channel_id: 'c', title: 'C', rss_url: 'https://videos.example/feed' }
  await alice.library.channels.save(channel, videos)
  await alice.library.downloads.request(video_ids)
  const nothing = { ytdlp_version: null, ffmpeg_version: null, javascript: null, missing: null }
  await beatWorker(sql, 'a worker', { ...nothing, slots: 2 })
})

const starts = async (video_id: string, when = startToWatch(limits)) => {
  const started = await alice.library.downloads.start(video_id, crypto.randomUUID(), when)
  return started !== undefined && started.free_at === undefined
}
const inQueue = async () => {
  const rows = await sql<{ key: string }[]>`select key from graphile_worker.jobs where key like 'download:%'`
  return rows.map(({ key }) => key.split(':').at(-1))
}

it('it starts although its host has as many downloads as it may have, and has just started one', async () => {
  expect(await starts('one', earliestStart({ ...limits, host_pause_seconds: 0 }))).toBe(true)
  expect(await starts('two', earliestStart({ ...limits, host_pause_seconds: 0 }))).toBe(true)
  expect(await starts('three', earliestStart(limits))).toBe(false)
  expect(await starts('three')).toBe(true)
})

it('it leaves the queue, so that no slot is taken for it', async () => {
  await starts('three')
  expect(await inQueue()).not.toContain('three')
  expect(await inQueue()).toHaveLength(6)
})

it('a host that asked us to slow down is left alone', async () => {
  await sql`insert into host_pauses (host, until, reason) values ('videos.example', now() + interval '1 hour', 'slow down')`
  expect(await starts('one')).toBe(false)
  expect(await inQueue()).toContain('one')
})

it('a person starts six of them at most', async () => {
  const started = []
  for (const video_id of video_ids) started.push(await starts(video_id))
  expect(started).toEqual([true, true, true, true, true, true, false])
})

it('a person whose downloads have all places of a host starts no further one while another person waits for it', async () => {
  const bob = await personWith(sql, 'bob', 'd', ['other'])
  await sql`update video_entries set video_url = 'https://videos.example/other' where video_id = 'other'`
  expect([await starts('one'), await starts('two'), await starts('three')]).toEqual([true, true, true])

  await bob.library.downloads.request(['other'])

  expect(await starts('four')).toBe(false)
  const bobs = await bob.library.downloads.start('other', crypto.randomUUID(), startToWatch(limits))
  expect(bobs).toMatchObject({ video: { video_id: 'other' } })
  await bob.library.downloads.cancel('other')
  await bob.library.downloads.request(['other'])
  await alice.library.downloads.cancel('one')
  await alice.library.downloads.cancel('two')
  expect(await starts('four')).toBe(true)
})

it('a person watches in all places of a worker but one, so that one is free for others', async () => {
  const bob = await personWith(sql, 'bob', 'd', ['other'])
  // At the same host, it would keep a place there for him.
  await sql`update video_entries set video_url = 'https://elsewhere.example/other' where video_id = 'other'`
  await bob.library.downloads.request(['other'])
  const started: string[] = []
  const ended = Promise.withResolvers<void>()
  const task = watchNowTask({
    ...idleParts(sql),
    downloadVideo: async ({ url }) => {
      started.push(url.split('/').at(-1) ?? '')
      await ended.promise
      return { failure: failureOf({ said: '' }) }
    },
  })
  const watch = (who: Person, video_id: string) =>
    task({ user_id: who.user.user_id, video_id }, { abortSignal: new AbortController().signal } as JobHelpers)

  const watching = ['one', 'two', 'three', 'four'].map(video_id => watch(alice, video_id))
  await watching.at(-1)
  watching.push(watch(bob, 'other'))

  await vi.waitFor(() => expect(started.toSorted()).toEqual(['one', 'other', 'three', 'two']))
  // It is tried again, and keeps its place in the queue.
  const [again] = await sql`select run_at > now() as is_later from graphile_worker.jobs where key like 'watch:%:four'`
  expect(again).toEqual({ is_later: true })
  expect(await inQueue()).toContain('four')
  ended.resolve()
  await Promise.all(watching)
})

it('the download is the next of its person even if it cannot start at once', async () => {
  await alice.library.downloads.watchNow('seven')
  const [first] = await sql<{ key: string }[]>`
    select key from graphile_worker.jobs where key like 'download:%' order by priority, run_at, id limit 1`
  expect(first?.key).toContain(':seven')
})
