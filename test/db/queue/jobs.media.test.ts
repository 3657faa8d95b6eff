/** Every change of a file adds one job for its person, whatever makes it, and none without MEDIA_DIR. */
import { beforeEach, expect, it } from 'vitest'
import { queueMediaChecks, recordMediaService } from '../../../src/db/media/everyone/media.ts'
import type { Queryable } from '../../../src/db/postgres/client.ts'
import { addMediaUpdate } from '../../../src/db/queue/jobs.ts'
import { restoreChannel, restoreDownload } from '../../../src/domain/bin/restore.ts'
import { unfollowChannel } from '../../../src/domain/channels/channels.ts'
import type { Files } from '../../../src/store/files.ts'
import { useDatabase } from '../../support/app/database.ts'
import { bin } from '../../support/app/media.ts'
import { entry, follows, has, type Person, personWith } from '../../support/app/people.ts'

const { sql } = useDatabase()

beforeEach(async () => {
  await sql`truncate users cascade`
  await sql`delete from media_service`
  await sql`delete from graphile_worker._private_jobs`
})

const jobs = async () => {
  const rows = await sql<{ key: string }[]>`
    select key from graphile_worker.jobs where task_identifier = 'update-media' order by key`
  return rows.map(({ key }) => key)
}
const keyOf = ({ user }: Person) => `media:${user.user_id}`
const done = () => sql`delete from graphile_worker._private_jobs where key like 'media:%'`

it('without MEDIA_DIR, a download adds no job', async () => {
  const alice = await personWith(sql, 'alice', 'c', ['v1'])
  await has(alice, 'v1', 'c/v1.mp4', 7)
  expect(await jobs()).toEqual([])
})

it('a worker that had MEDIA_DIR a while ago causes no more jobs', async () => {
  const alice = await personWith(sql, 'alice', 'c', ['v1'])
  await sql`insert into media_service (seen_at) values (now() - interval '11 minutes')`
  await has(alice, 'v1', 'c/v1.mp4', 7)
  expect(await jobs()).toEqual([])
})

it('a playlist adds one job when it gets, moves or loses videos, is renamed, deleted or restored', async () => {
  await recordMediaService(sql)
  const alice = await personWith(sql, 'alice', 'c', ['v1', 'v2'])
  const { playlists } = alice.library
  const { playlist_id } = await playlists.create('Bread')
  expect(await jobs()).toEqual([])
  let removed_at = ''
  const steps = [
    () => playlists.addVideos(playlist_id, ['v1', 'v2']),
    () => playlists.put(playlist_id, 'v2', 'top'),
    async () => {
      removed_at = (await playlists.takeOut(playlist_id, ['v1']))?.removed_at ?? ''
    },
    () => playlists.putBack(playlist_id, removed_at),
    () => playlists.rename(playlist_id, 'Rye'),
    () => playlists.remove(playlist_id),
    () => playlists.restore(playlist_id),
  ]
  for (const [at, step] of steps.entries()) {
    await step()
    expect([at, await jobs()]).toEqual([at, [keyOf(alice)]])
    await done()
  }
})

it('finishing, losing a file, new words, unfollowing and deleting the account each add one job for that person', async () => {
  await recordMediaService(sql)
  const alice = await personWith(sql, 'alice', 'c', ['v1', 'v2', 'v3'])
  expect(await jobs()).toEqual([])
  const steps = [
    () => has(alice, 'v1', 'c/v1.mp4', 7),
    () => alice.library.downloads.deleteFile('v1'),
    () => has(alice, 'v2', 'c/v2.mp4', 7),
    () =>
      alice.library.channels.save({ channel_id: 'c', title: 'c', rss_url: 'https://videos.example/c.xml' }, [
        entry('v2', { title: 'Another title' }),
      ]),
    () => alice.library.channels.remove('c'),
  ]
  for (const [at, step] of steps.entries()) {
    await step()
    expect([at, await jobs()]).toEqual([at, [keyOf(alice)]])
    await done()
  }
  await follows(alice, 'd', ['v4'])
  await has(alice, 'v4', 'd/v4.mp4', 7)
  await done()
  await sql`delete from users where id = ${alice.user.user_id}`
  expect(await jobs()).toEqual([keyOf(alice)])
})

it('restoring a file or a channel from the bin adds a job for its person', async () => {
  await recordMediaService(sql)
  const files = { recover: async () => true, exists: async () => true, forgetWork: async () => {} } as unknown as Files
  const alice = await personWith(sql, 'alice', 'c', ['v1', 'v2'])
  for (const id of ['v1', 'v2']) await has(alice, id, `c/${id}.mp4`, 7)
  await alice.library.downloads.discardFile('v1', async () => {})
  await done()
  await restoreDownload(alice.library, { files, bin }, 'v1')
  expect(await jobs()).toEqual([keyOf(alice)])

  await unfollowChannel(alice.library, { files: { ...files, discard: async () => {} }, bin }, 'c')
  await done()
  await restoreChannel(alice.library, { files, bin }, 'c')
  expect((await alice.library.videos.tally()).done).toBe(2)
  expect(await jobs()).toEqual([keyOf(alice)])
})

it('new words of a video without a file add no job', async () => {
  await recordMediaService(sql)
  const alice = await personWith(sql, 'alice', 'c', ['v1'])
  await sql`update video_entries set title = 'new' where user_id = ${alice.user.user_id}`
  expect(await jobs()).toEqual([])
})

it('500 changes of one transaction add one job, and a waiting job is not doubled', async () => {
  const ids = Array.from({ length: 500 }, (_, at) => `v${at}`)
  const alice = await personWith(sql, 'alice', 'c', ids)
  await recordMediaService(sql)
  await sql`
    update video_entries
    set    download_status = 'COMPLETED', download_path = 'c/' || video_id || '.mp4', file_size = 7
    where  user_id = ${alice.user.user_id}`
  await addMediaUpdate(sql, alice.user)
  expect(await jobs()).toEqual([keyOf(alice)])
})

it('a change during a run of the job adds another one', async () => {
  await recordMediaService(sql)
  const alice = await personWith(sql, 'alice', 'c', ['v1'])
  await addMediaUpdate(sql, alice.user)
  await sql`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'worker', attempts = 1`
  await has(alice, 'v1', 'c/v1.mp4', 7)
  const [counted] = await sql`select count(*) as jobs from graphile_worker.jobs where task_identifier = 'update-media'`
  expect(counted?.jobs).toBe(2)
})

it('when MEDIA_DIR is switched on later, everyone with a file is due, and no other person', async () => {
  const alice = await personWith(sql, 'alice', 'c', ['v1'])
  await personWith(sql, 'bob', 'c', ['v1'])
  await has(alice, 'v1', 'c/v1.mp4', 7)

  await recordMediaService(sql)
  expect(await queueMediaChecks(sql)).toBe(1)
  expect(await jobs()).toEqual([keyOf(alice)])

  await alice.library.media.recordChecked()
  await recordMediaService(sql)
  expect(await queueMediaChecks(sql)).toBe(0)
})

it('two transactions that change files of one person in opposite orders do not wait for each other in a circle', async () => {
  await recordMediaService(sql)
  const alice = await personWith(sql, 'alice', 'c', ['v1', 'v2'])
  const change = (tx: Queryable, video_id: string) => tx`
    update video_entries
    set    download_status = 'COMPLETED', download_path = 'x', file_size = 1
    where  user_id = ${alice.user.user_id} and video_id = ${video_id}`
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const both = [
    sql.begin(async tx => {
      await change(tx, 'v1')
      first.resolve()
      await second.promise
    }),
    sql.begin(async tx => {
      await change(tx, 'v2')
      second.resolve()
      await first.promise
      await tx`select pg_advisory_xact_lock(1)`
    }),
  ]
  await Promise.all(both)
  expect(await jobs()).toEqual([keyOf(alice)])
})
