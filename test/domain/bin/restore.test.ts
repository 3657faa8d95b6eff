/** Deleting files and unfollowing channels, and bringing them back. */
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { restoreChannel, restoreDeletedAt, restoreDownload } from '../../../src/domain/bin/restore.ts'
import { unfollowChannel } from '../../../src/domain/channels/channels.ts'
import { deleteFile, emptyBin, purgeFiles } from '../../../src/domain/downloads/deletions.ts'
import {
  dropDownload,
  removeFiles,
  requestDownload,
  requestInQuality,
} from '../../../src/domain/downloads/downloads.ts'
import { no_limits, overQuota } from '../../../src/domain/downloads/room.ts'
import { deleteByRule } from '../../../src/domain/rules/rules.ts'
import { forgetVideo } from '../../../src/domain/videos/added-videos.ts'
import { openVideo } from '../../../src/domain/watching/video-file.ts'
import { closeSource } from '../../../src/runtime/sending.ts'
import type { BinLimits } from '../../../src/schema/bin/bin.ts'
import { rule_off } from '../../../src/schema/rules/rule.ts'
import { useApp } from '../../support/app/app.ts'
import { aLockIsWaitedFor } from '../../support/app/database.ts'
import { onDisk, runDownload } from '../../support/app/files.ts'
import { entry, follows, type Person, person, personWith } from '../../support/app/people.ts'
import { storePicture } from '../../support/app/pictures.ts'
import { statementsOf } from '../../support/app/statements.ts'
import { lowered } from '../../support/app/user-limits.ts'
import { exists } from '../../support/run/made-once.ts'

const app = useApp({ connections: 4 })
const { sql } = app
const bin: BinLimits = { hours: 24, quota_bytes: 0 }

const placed = (owner: Person, name: string) => join(app.folder, owner.user.user_id, 'kitchen', name)
const binned = (owner: Person, name: string) => join(app.folder, '.bin', owner.user.user_id, 'kitchen', name)
const rowsOf = (owner: Person) => sql`
  select * from video_entries where user_id = ${owner.user.user_id} order by channel_id, video_id`
const drop = (owner: Person, video_id: string) => dropDownload(owner.library, { files: app.files, bin }, video_id)
/** A new person with the files of these videos. */
async function withFiles(video_ids: string[], text?: string): Promise<Person> {
  const alice = await personWith(sql, 'alice', 'kitchen', video_ids)
  for (const id of video_ids) await onDisk(app.folder, alice, id, text)
  return alice
}
/** A new person with the files of these videos in the bin. */
async function withBinned(video_ids: string[], text?: string): Promise<Person> {
  const alice = await withFiles(video_ids, text)
  for (const id of video_ids) await drop(alice, id)
  return alice
}
const states = async (owner: Person) => (await rowsOf(owner)).map(row => row.download_status)
const named = async (owner: Person) => (await rowsOf(owner)).map(row => row.video_id)
const restore = (owner: Person, video_id: string, limits = bin) =>
  restoreDownload(owner.library, { files: app.files, bin: limits }, video_id)

describe('a deleted file', () => {
  it('a deleted file is in the bin, and returns with everything that was known of it', async () => {
    const alice = await personWith(sql, 'alice', 'kitchen', ['v1'])
    await runDownload(app.files, alice, 'v1', 'mp4', ['en', 'de'])
    await alice.library.rules.pin('v1', true)
    const before = await rowsOf(alice)
    const file = placed(alice, 'v1.mp4')

    expect(await drop(alice, 'v1')).toMatchObject({ download_status: 'pending', download_path: null })
    expect([await exists(file), await exists(binned(alice, 'v1.mp4'))]).toEqual([false, true])
    expect(await exists(binned(alice, 'v1.en.vtt'))).toBe(true)

    expect(await restore(alice, 'v1')).toMatchObject({ download_status: 'completed', pinned: true, file_size: 6 })
    expect(await rowsOf(alice)).toEqual(before)
    expect(await readFile(file, 'utf8')).toBe('a file')
    expect(await exists(placed(alice, 'v1.de.vtt'))).toBe(true)
    expect(await sql`select from deleted_files where user_id = ${alice.user.user_id}`).toHaveLength(0)
    expect(await restore(alice, 'v1')).toMatchObject({ download_status: 'completed' })
  })

  it('an MP3 that replaces a film leaves one of them, and returns from the bin itself', async () => {
    const alice = await personWith(sql, 'alice', 'kitchen', ['v1'])
    await runDownload(app.files, alice, 'v1')
    const known = async () => (await alice.library.videos.find('v1'))?.download_path?.split('/').at(-1)
    const paths = ['v1.mp4', 'v1.mp3'].flatMap(name => [placed(alice, name), binned(alice, `${name}`)])
    const there = () => Promise.all(paths.map(exists))
    const replace = () => requestInQuality(alice.library, { files: app.files, bin }, 'v1', 'mp3')

    await replace()
    expect(await there()).toEqual([false, true, false, false])
    await restore(alice, 'v1')
    expect([await known(), await there()]).toEqual(['v1.mp4', [true, false, false, false]])

    await replace()
    expect(await runDownload(app.files, alice, 'v1', 'mp3')).toBe('mp3')
    expect([await known(), await there()]).toEqual(['v1.mp3', [false, false, true, false]])

    await drop(alice, 'v1')
    expect(await there()).toEqual([false, false, false, true])
    await restore(alice, 'v1')
    expect([await known(), await there()]).toEqual(['v1.mp3', [false, false, true, false]])
  })

  it('a file is deleted at once if nothing is kept', async () => {
    const alice = await withFiles(['v1'])
    await dropDownload(alice.library, { files: app.files, bin: { hours: 0, quota_bytes: 0 } }, 'v1')
    expect(await exists(binned(alice, 'v1.mp4'))).toBe(false)
    await expect(restore(alice, 'v1')).rejects.toMatchObject({ code: 'gone' })
  })

  it('a file cannot be restored after its time, when it was removed for good, or by another person', async () => {
    const alice = await withBinned(['v1', 'v2'])
    await follows(alice, 'kitchen', ['v3'])
    await sql`
      update deleted_files set deleted_at = now() - interval '24 hours'
      where user_id = ${alice.user.user_id} and video_id = 'v1'`
    await purgeFiles(alice.library, app.files, ['v2'])

    for (const id of ['v1', 'v2', 'v3'])
      await expect(restore(alice, id)).rejects.toMatchObject({ code: 'gone', status: 410 })
    await expect(restore(alice, 'nope')).rejects.toMatchObject({ code: 'not_found' })
    await expect(restore(await person(sql, 'bob'), 'v1')).rejects.toMatchObject({ code: 'not_found' })
  })

  it('a file that its rule deleted is kept from then on when a person restores it', async () => {
    const alice = await personWith(sql, 'alice', 'kitchen', ['v1'])
    await alice.library.downloads.request(['v1'], 'rule')
    await runDownload(app.files, alice, 'v1')
    await sql`update video_entries set download_asked_by = 'rule' where user_id = ${alice.user.user_id}`
    expect(await deleteByRule(alice.library, { files: app.files, bin }, 'v1', false)).toBe(true)

    await restore(alice, 'v1')
    expect(await deleteByRule(alice.library, { files: app.files, bin }, 'v1', false)).toBe(false)
    expect(await alice.library.downloads.request(['v1'])).toEqual(new Map([['v1', 'already_completed']]))
  })

  it('a deleted file whose video is queued or downloading again is restored instead, and the run ends', async () => {
    const alice = await withBinned(['v1', 'v2'])
    for (const id of ['v1', 'v2']) await requestDownload(alice.library, app.files, id)
    const claim = crypto.randomUUID()
    await alice.library.downloads.start('v2', claim)

    for (const id of ['v1', 'v2'])
      expect(await restore(alice, id)).toMatchObject({ download_status: 'completed', queued: false })

    const finished = { download_path: `${alice.user.user_id}/kitchen/v2.mp4`, file_size: 1 }
    const nothing = async () => {}
    expect(await alice.library.downloads.finish('v2', claim, finished, nothing, nothing)).toBe(false)
    expect(await sql`select from graphile_worker.jobs where key like ${`%${alice.user.user_id}%`}`).toHaveLength(0)
  })

  it('a file whose video was downloaded again leaves the bin', async () => {
    const alice = await withBinned(['v1'], 'old')
    await runDownload(app.files, alice, 'v1')
    expect(await exists(binned(alice, 'v1.mp4'))).toBe(false)
    expect(await sql`select from deleted_files where user_id = ${alice.user.user_id}`).toHaveLength(0)
    expect(await restore(alice, 'v1')).toMatchObject({ download_status: 'completed', file_size: 6 })
  })

  it('several files of one deletion return together', async () => {
    const alice = await withFiles(['v1', 'v2', 'v3'])
    await drop(alice, 'v3')
    const at = new Date()
    await removeFiles(alice.library, { files: app.files, bin }, ['v1', 'v2'], at)

    expect(await restoreDeletedAt(alice.library, { files: app.files, bin }, at)).toEqual({ restored: 2 })
    expect(await states(alice)).toEqual(['COMPLETED', 'COMPLETED', 'PENDING'])
  })
})

describe('a process that ends at a bad moment', () => {
  const crash = async (_path: string): Promise<never> => {
    throw new Error('killed')
  }

  it('a file that was moved into the bin without a commit is found again when it is opened', async () => {
    const alice = await withFiles(['v1', 'v2'])
    for (const id of ['v1', 'v2']) {
      const dying = alice.library.downloads.discardFile(id, path => app.files.discard(path).then(() => crash(path)))
      await expect(dying).rejects.toThrow('killed')
      expect(await exists(binned(alice, `${id}.mp4`))).toBe(true)
    }

    const { file } = await openVideo(alice.library, app.files, 'v1')
    await closeSource(file.source)
    expect(await requestDownload(alice.library, app.files, 'v2')).toMatchObject({ result: 'already_completed' })
    for (const id of ['v1', 'v2']) expect(await exists(binned(alice, `${id}.mp4`))).toBe(false)
  })

  it('a file that was moved back without a commit can be restored again, and purged', async () => {
    const alice = await withBinned(['v1', 'v2'])
    for (const id of ['v1', 'v2']) {
      const dying = alice.library.bin.restoreFile(id, {
        ...bin,
        recover: path => app.files.recover(path).then(() => crash(path)),
      })
      await expect(dying).rejects.toThrow('killed')
    }
    expect(await restore(alice, 'v1')).toMatchObject({ download_status: 'completed' })
    await purgeFiles(alice.library, app.files, ['v2'])
    expect(await exists(placed(alice, 'v2.mp4'))).toBe(false)
  })

  it('a file that is gone from its place and from the bin can be downloaded again', async () => {
    const alice = await withFiles(['v1', 'v2'])
    await rm(placed(alice, 'v1.mp4'))
    await drop(alice, 'v2')
    await rm(binned(alice, 'v2.mp4'))

    await expect(openVideo(alice.library, app.files, 'v1')).rejects.toMatchObject({ code: 'not_found' })
    await expect(restore(alice, 'v2')).rejects.toMatchObject({ code: 'gone' })
    expect(await states(alice)).toEqual(['PENDING', 'PENDING'])
  })
})

describe('the quota', () => {
  const limits = { hours: 24, quota_bytes: 10 }

  it('the quota does not count files in the bin, and refuses to restore a file over it with its sentence', async () => {
    const alice = await personWith(sql, 'alice', 'kitchen', ['v1', 'v2'])
    await onDisk(app.folder, alice, 'v1', 'x'.repeat(8))
    await deleteFile(alice.library, { files: app.files, bin: limits }, 'v1')
    expect(await alice.library.videos.bytesUsed('')).toBe(0)
    await onDisk(app.folder, alice, 'v2', 'x'.repeat(4))

    await expect(restore(alice, 'v1', limits)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(/^This would be more than the .* GB you can keep here/),
    })
    await dropDownload(alice.library, { files: app.files, bin: { hours: 0, quota_bytes: 10 } }, 'v2')
    expect(await restore(alice, 'v1', limits)).toMatchObject({ download_status: 'completed' })
  })

  it.each([
    ['lower than the service’s', 5e-9, 100, 'rejected'],
    ['higher than the service’s', 2e-8, 5, 'fulfilled'],
    ['without a limit', 0, 5, 'fulfilled'],
    ['the service’s', null, 5, 'rejected'],
  ])(
    'a quota of one’s own decides what is restored, and what may be downloaded or imported: %s',
    async (_, own, quota_bytes, outcome) => {
      const alice = await withBinned(['v1'], 'x'.repeat(8))
      await sql`update users set quota_gb = ${own} where id = ${alice.user.user_id}`

      const [ended] = await Promise.allSettled([restore(alice, 'v1', { hours: 24, quota_bytes })])
      const lack = await overQuota({ library: alice.library, room: { ...no_limits, quota_bytes } }, 'v1', 8)

      expect(ended?.status).toBe(outcome)
      expect(lack === undefined).toBe(outcome === 'fulfilled')
    },
  )

  it('the quota limits what one person has in the bin: the oldest files are removed for good', async () => {
    const alice = await withFiles(['v1', 'v2', 'v3'], 'xxxx')
    for (const id of ['v1', 'v2', 'v3']) await deleteFile(alice.library, { files: app.files, bin: limits }, id)
    expect(await alice.library.bin.videoIds({ limit: 9 })).toEqual(['v2', 'v3'])
    expect(await exists(binned(alice, 'v1.mp4'))).toBe(false)
  })

  it('two restores at the same moment do not exceed the quota together', async () => {
    const alice = await withBinned(['v1', 'v2'], 'xxxxxx')
    const ended = await Promise.allSettled(['v1', 'v2'].map(id => restore(alice, id, limits)))
    expect(ended.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })
})

describe('an unfollowed channel', () => {
  const unfollow = (owner: Person) => unfollowChannel(owner.library, { files: app.files, bin }, 'kitchen')
  const back = (owner: Person, limits = bin) =>
    restoreChannel(owner.library, { files: app.files, bin: limits }, 'kitchen')

  async function wholeChannel() {
    const alice = await personWith(sql, 'alice', 'kitchen', ['v1', 'v2', 'v3', 'v4'])
    await runDownload(app.files, alice, 'v1', 'mp4', ['en'])
    await alice.library.downloads.request(['v2'])
    await alice.library.viewings.record('v3', { seen: true, position_seconds: 5, duration_seconds: 9 })
    await alice.library.channels.setQuality('kitchen', '720')
    await alice.library.rules.save('kitchen', {
      ...rule_off,
      auto_download: true,
      keep_newest: 3,
      title_words: ['bread'],
    })
    await sql`
      update video_entries set availability = 'private', look_at = null, looks = 3
      where user_id = ${alice.user.user_id} and video_id = 'v4'`
    return alice
  }
  const everything = async ({ user: { user_id } }: Person) => ({
    channels: await sql`select *, null as next_fetch_at from channels where user_id = ${user_id}`,
    entries: await sql`select * from video_entries where user_id = ${user_id} order by video_id`,
    viewings: await sql`select * from viewings where user_id = ${user_id}`,
    rules: await sql`select * from channel_rules where user_id = ${user_id}`,
    jobs: await sql`select key, flags from graphile_worker.jobs where key = ${`download:${user_id}:v2`}`,
  })

  it('an unfollowed channel returns exactly as it was, with its files, and its feed is fetched soon', async () => {
    const alice = await wholeChannel()
    await sql`
      update users set default_rule = ${sql.json({ ...rule_off, auto_download: true })} where id = ${alice.user.user_id}`
    const before = await everything(alice)
    await unfollow(alice)
    expect(await everything(alice)).toMatchObject({ channels: [], entries: [], viewings: [], rules: [], jobs: [] })
    expect(await exists(binned(alice, 'v1.mp4'))).toBe(true)

    const { channel, left } = await back(alice)

    expect([channel.channel_id, channel.entry_count, left]).toEqual(['kitchen', 4, 0])
    expect(channel.next_fetch_at?.getTime()).toBeLessThanOrEqual(Date.now() + 1000)
    expect(await everything(alice)).toEqual(before)
    expect(await exists(placed(alice, 'v1.en.vtt'))).toBe(true)
    for (const table of ['deleted_files', 'deleted_channels', 'deleted_videos'])
      expect(await sql`select from ${sql(table)} where user_id = ${alice.user.user_id}`).toHaveLength(0)
    await expect(back(alice)).resolves.toMatchObject({ left: 0 })
  })

  it.each([
    ['lower than the service’s', 1e-8, 100, ['v1'], 1],
    ['higher than the service’s', 1e-7, 5, ['v1', 'v2'], 0],
    ['without a limit', 0, 5, ['v1', 'v2'], 0],
    ['the service’s', null, 10, ['v1'], 1],
  ])(
    'a channel returns with as many files as a quota of one’s own allows, and the others stay in the bin: %s',
    async (_, own, quota_bytes, returned, left) => {
      const alice = await withFiles(['v1', 'v2'], 'x'.repeat(8))
      await unfollow(alice)
      await sql`update users set quota_gb = ${own} where id = ${alice.user.user_id}`

      expect(await back(alice, { ...bin, quota_bytes })).toMatchObject({ left })

      const completed = (await rowsOf(alice)).filter(row => row.download_status === 'COMPLETED')
      expect(completed.map(row => row.video_id)).toEqual(returned)
      const { entries, files } = await alice.library.bin.page({ hours: 24, limit: 9 })
      expect([files, entries.map(({ kind }) => kind)]).toEqual([left, left === 1 ? ['file'] : []])
    },
  )

  it('a channel with many files leaves and returns in few transactions', async () => {
    const ids = Array.from({ length: 120 }, (_, n) => `v${n}`)
    const alice = await withFiles(ids)
    const transactionsOf = async (work: () => Promise<unknown>) =>
      (await statementsOf(sql, work)).filter(statement => statement.startsWith('begin')).length
    expect(await transactionsOf(() => unfollow(alice))).toBeLessThan(10)
    expect(await transactionsOf(() => back(alice))).toBeLessThan(10)
    expect(await readdir(join(app.folder, alice.user.user_id, 'kitchen'))).toHaveLength(120)
    expect((await rowsOf(alice)).filter(row => row.download_status !== 'COMPLETED')).toEqual([])
  })

  it('a channel that was followed again gets back what is missing, and keeps what is new', async () => {
    const alice = await wholeChannel()
    const [first] = await rowsOf(alice)
    await unfollow(alice)
    await follows(alice, 'kitchen', ['v1', 'v9'])
    await alice.library.viewings.record('v9', { seen: true })

    await back(alice)

    const rows = await rowsOf(alice)
    expect(rows.map(row => [row.video_id, row.download_status])).toEqual([
      ['v1', 'COMPLETED'],
      ['v2', 'PENDING'],
      ['v3', 'PENDING'],
      ['v4', 'PENDING'],
      ['v9', 'PENDING'],
    ])
    expect(rows[0]?.first_seen_at).toEqual(first?.first_seen_at)
    expect(await alice.library.channels.find('kitchen')).toMatchObject({ entry_count: 5, quality: '720' })
    expect(await alice.library.rules.find('kitchen')).toMatchObject({ auto_download: true, keep_newest: 3 })
    expect(await alice.library.videos.find('v3')).toMatchObject({ position_seconds: 5 })
    expect(await alice.library.channels.list()).toHaveLength(1)
  })

  it('an unfollowed channel that still has added videos is followed again as it was', async () => {
    const alice = await wholeChannel()
    await alice.library.added.mark('v3')
    await unfollow(alice)
    expect(await alice.library.channels.find('kitchen')).toMatchObject({ followed: false, entry_count: 1 })
    await back(alice)
    expect(await alice.library.channels.find('kitchen')).toMatchObject({
      followed: true,
      entry_count: 4,
      quality: '720',
    })
    expect(await alice.library.rules.find('kitchen')).toMatchObject({ keep_newest: 3 })
  })

  it('a restored channel shares the download of a video that another channel has as well', async () => {
    const alice = await wholeChannel()
    await follows(alice, 'playlist', ['v1', 'v2'])
    await unfollow(alice)
    await drop(alice, 'v1')
    await alice.library.downloads.cancel('v2')
    await back(alice)
    const states = (await rowsOf(alice)).map(row => [row.channel_id, row.video_id, row.download_status, row.standing])
    expect(states.filter(([, id]) => id === 'v1' || id === 'v2')).toEqual([
      ['kitchen', 'v1', 'PENDING', null],
      ['kitchen', 'v2', 'PENDING', null],
      ['playlist', 'v1', 'PENDING', null],
      ['playlist', 'v2', 'PENDING', null],
    ])
  })

  it('a restored channel returns without its old run, and its download waits again', async () => {
    const alice = await personWith(sql, 'alice', 'kitchen', ['v1'])
    await alice.library.downloads.request(['v1'])
    await alice.library.downloads.start('v1', crypto.randomUUID())
    await unfollow(alice)
    await back(alice)
    expect(await alice.library.videos.status('v1')).toMatchObject({ download_status: 'pending', queued: true })
  })

  it('one video of an unfollowed channel can be restored alone, and later the rest', async () => {
    const alice = await wholeChannel()
    await unfollow(alice)
    expect(await restore(alice, 'v1')).toMatchObject({ download_status: 'completed' })
    expect(await alice.library.videos.find('v1')).toMatchObject({ source: 'address' })
    expect(await alice.library.channels.find('kitchen')).toMatchObject({ followed: false, entry_count: 1 })
    await back(alice)
    expect(await alice.library.channels.find('kitchen')).toMatchObject({ followed: true, entry_count: 4 })
    expect(await named(alice)).toEqual(['v1', 'v2', 'v3', 'v4'])
  })

  it.each(['kitchen', 'playlist'])(
    'one video of two channels is restored while a save has %s and inserts the video into it',
    async channel_id => {
      const alice = await person(sql, 'alice')
      for (const id of ['kitchen', 'playlist']) {
        await follows(alice, id, ['v1', 'v2'])
        await unfollowChannel(alice.library, { files: app.files, bin }, id)
        await follows(alice, id, ['v2'])
      }
      const { user_id } = alice.user
      let restoring: Promise<unknown> | undefined
      await sql.begin(async tx => {
        await tx`select from channels where user_id = ${user_id} and channel_id = ${channel_id} for no key update`
        restoring = alice.library.bin.restoreVideo('v1', bin.hours)
        restoring.catch(() => {})
        await aLockIsWaitedFor(sql)
        await tx`
          insert into video_entries (user_id, channel_id, video_id, video_url, title)
          values (${user_id}, ${channel_id}, 'v1', 'https://videos.example/v1', 'Video v1')`
      })

      expect(await restoring).toBe(true)
      const rows = (await rowsOf(alice)).map(row => [row.channel_id, row.video_id])
      expect(rows).toEqual([
        ['kitchen', 'v1'],
        ['kitchen', 'v2'],
        ['playlist', 'v1'],
        ['playlist', 'v2'],
      ])
    },
  )

  it('files and channels in the bin have their pictures', async () => {
    const [of_video, of_channel] = ['https://videos.example/v1.jpg', 'https://videos.example/kitchen.png']
    const alice = await person(sql, 'alice')
    await alice.library.channels.save(
      { channel_id: 'kitchen', title: 'Kitchen', rss_url: 'https://videos.example/k.xml', image_url: of_channel },
      [entry('v1', { thumbnail_url: of_video })],
    )
    await runDownload(app.files, alice, 'v1')
    const stored = [await storePicture(app, 'video', of_video), await storePicture(app, 'channel', of_channel)]
    const pictures = async () =>
      (await alice.library.bin.page({ hours: 24, limit: 9 })).entries.map(({ picture_url }) => picture_url)

    await drop(alice, 'v1')
    expect(await pictures()).toEqual([stored[0]])
    await unfollow(alice)
    expect(await pictures()).toContain(stored[1])
  })

  it('a channel is refused when it would be one channel or one video too many, and stays in the bin', async () => {
    const alice = await wholeChannel()
    await unfollow(alice)
    await follows(alice, 'other', ['w1'])
    onTestFinished(lowered({ channels: 1 }))
    await expect(back(alice)).rejects.toMatchObject({ code: 'invalid' })
    lowered({ channels: 2, videos: 4 })
    await expect(back(alice)).rejects.toMatchObject({ code: 'invalid' })
    lowered({ videos: 5 })
    await expect(back(alice)).resolves.toMatchObject({ left: 0 })
  })

  it('of two restores of a channel at the same moment one restores, and both answer', async () => {
    const alice = await wholeChannel()
    await unfollow(alice)
    await Promise.all([back(alice), back(alice), restore(alice, 'v1')])
    expect(await named(alice)).toEqual(['v1', 'v2', 'v3', 'v4'])
    expect(await alice.library.channels.find('kitchen')).toMatchObject({ followed: true, entry_count: 4 })
    expect(await alice.library.videos.status('v1')).toMatchObject({ download_status: 'completed' })
  })

  it('a restored channel has a column that a migration added later with its default', async () => {
    const alice = await wholeChannel()
    await unfollow(alice)
    await sql`alter table video_entries add column added_later integer not null default 7`
    await back(alice)
    expect((await rowsOf(alice)).map(row => row.added_later)).toEqual([7, 7, 7, 7])
    await sql`alter table video_entries drop column added_later`
  })

  it('a channel cannot be restored after its time, by another person, or when the bin was emptied', async () => {
    const alice = await wholeChannel()
    await unfollow(alice)
    await expect(back(await person(sql, 'bob'))).rejects.toMatchObject({ code: 'not_found' })
    await emptyBin(alice.library, app.files)
    await expect(back(alice)).rejects.toMatchObject({ code: 'not_found' })
    expect(await exists(binned(alice, 'v1.mp4'))).toBe(false)
  })
})

describe('a removed video', () => {
  it('a removed video returns with its channel, viewing and file', async () => {
    const alice = await person(sql, 'alice')
    await alice.library.channels.addVideo({ channel_id: 'kitchen', title: 'Kitchen' }, entry('added'))
    await onDisk(app.folder, alice, 'added')
    await alice.library.viewings.record('added', { seen: true })
    const before = await rowsOf(alice)
    await forgetVideo(alice.library, { files: app.files, bin }, 'added')
    expect(await alice.library.channels.find('kitchen')).toBeUndefined()
    expect(await alice.library.bin.page({ hours: 24, limit: 9 })).toMatchObject({
      entries: [{ kind: 'file', video_id: 'added' }],
    })

    expect(await restore(alice, 'added')).toMatchObject({ download_status: 'completed' })
    expect(await rowsOf(alice)).toEqual(before)
    expect((await alice.library.videos.find('added'))?.seen_at).not.toBeNull()
    expect(await sql`select from deleted_channels where user_id = ${alice.user.user_id}`).toHaveLength(0)
  })

  it('a removed video without a file returns too', async () => {
    const alice = await person(sql, 'alice')
    await alice.library.channels.addVideo({ channel_id: 'kitchen', title: 'Kitchen' }, entry('added'))
    await forgetVideo(alice.library, { files: app.files, bin }, 'added')
    expect(await restore(alice, 'added')).toMatchObject({ download_status: 'pending' })
  })
})
