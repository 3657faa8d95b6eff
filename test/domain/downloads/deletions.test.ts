/**
 * Deletes, restores, downloads and purges in random orders, from several processes at once, some of which end between the move of a file
 * and the commit. Whatever happens: a completed download has its file, and what the bin lists can be restored.
 */
import { randomUUID } from 'node:crypto'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Library } from '../../../src/db/library.ts'
import { makeRoom } from '../../../src/domain/bin/removal.ts'
import { restoreChannel, restoreDownload } from '../../../src/domain/bin/restore.ts'
import { followChannel, unfollowChannel } from '../../../src/domain/channels/channels.ts'
import { deleteFile, emptyBin, purgeFiles, recovered } from '../../../src/domain/downloads/deletions.ts'
import { dropDownload, removeFiles, requestDownload } from '../../../src/domain/downloads/downloads.ts'
import { forgetVideo } from '../../../src/domain/videos/added-videos.ts'
import { DomainError } from '../../../src/errors.ts'
import type { Files } from '../../../src/store/files.ts'
import { placeOf } from '../../../src/store/paths.ts'
import { useApp } from '../../support/app/app.ts'
import { onDisk } from '../../support/app/files.ts'
import { entry, type Person, person, personWith } from '../../support/app/people.ts'
import { holds } from '../../support/run/holds.ts'

const app = useApp({ connections: 8 })
const { sql } = app
const bin = { hours: 24, quota_bytes: 0 }
const channel_id = 'kitchen'
const video_ids = ['v1', 'v2']

class Killed extends Error {}

/** The files that a purge removed before it was killed. Their rows are still there. */
const purged = new Set<string>()

/** Ends right after a move of a file, before the commit. */
function dying(files: Files): Files {
  const after =
    (work: (...download_paths: string[]) => Promise<unknown>, note = (_: string) => {}) =>
    async (...download_paths: string[]): Promise<never> => {
      await work(...download_paths)
      download_paths.forEach(note)
      throw new Killed()
    }
  const recordPurged = (download_path: string) => purged.add(download_path)
  return {
    ...files,
    discard: after(files.discard),
    recover: after(files.recover),
    purge: after(files.purge, recordPurged),
    remove: after(files.remove, recordPurged),
  }
}

async function download(library: Library, files: Files, video_id: string): Promise<void> {
  const claim = randomUUID()
  await requestDownload(library, files, video_id)
  const started = await library.downloads.start(video_id, claim)
  if (!started || started.free_at) return
  const file = join(app.folder, claim)
  await writeFile(file, claim)
  const download_path = placeOf({ user_id: library.user_id, channel_id, video_id })
  const staged = await files.stage(file, download_path)
  try {
    const finished = { download_path, file_size: claim.length }
    const put = () => staged.put().then(() => purged.delete(download_path))
    await library.downloads.finish(video_id, claim, finished, put, files.purge)
  } catch (fault) {
    // The run of a dead worker is recovered.
    await library.downloads.handBack(video_id, claim)
    throw fault
  }
}

const followed = async (library: Library) => {
  const feed = { channel_id, title: 'Kitchen', entries: video_ids.map(id => entry(id)), skipped: 0 }
  const rss_url = 'https://videos.example/kitchen.xml'
  await followChannel(library, async () => ({ rss_url, feed }) as never, rss_url)
}

const steps: Record<string, (library: Library, files: Files, video_id: string) => Promise<unknown>> = {
  download,
  download_again: download,
  delete: (library, files, id) => deleteFile(library, { files, bin }, id),
  delete_again: (library, files, id) => deleteFile(library, { files, bin }, id),
  restore: (library, files, id) => restoreDownload(library, { files, bin }, id),
  restore_again: (library, files, id) => restoreDownload(library, { files, bin }, id),
  purge: (library, files, id) => purgeFiles(library, files, [id]),
  empty: (library, files) => emptyBin(library, files),
  unfollow: (library, files) => unfollowChannel(library, { files, bin }, channel_id),
  restore_channel: (library, files) => restoreChannel(library, { files, bin }, channel_id),
  follow: library => followed(library),
}

const histories = fc.array(
  fc.array(
    fc.record({
      step: fc.constantFrom(...Object.keys(steps)),
      video_id: fc.constantFrom(...video_ids),
      is_killed: fc.integer({ min: 0, max: 3 }).map(n => n === 0),
    }),
    { minLength: 4, maxLength: 14, size: 'max' },
  ),
  { minLength: 3, maxLength: 3 },
)

it('a completed download has its file and the bin can restore what it lists, in any order of moves and with processes that are killed', async () => {
  await holds(
    fc.asyncProperty(histories, async lists => {
      const alice = await personWith(sql, 'alice', channel_id, video_ids)
      await Promise.all(lists.map(list => act(alice, list)))
      expect(await faultsOf(alice)).toEqual([])
    }),
    { runs: 15, shrinks: false },
  )
})

const ifGone = (fault: unknown) => {
  if (fault instanceof DomainError && fault.code === 'gone') return 'gone' as const
  throw fault
}

type Step = { step: string; video_id: string; is_killed: boolean }

async function act({ library }: Person, list: Step[]): Promise<void> {
  for (const { step, video_id, is_killed } of list) {
    const files = is_killed ? dying(app.files) : app.files
    await steps[step]?.(library, files, video_id).catch((fault: unknown) => {
      if (!(fault instanceof DomainError || fault instanceof Killed)) throw fault
    })
  }
}

/** What is wrong: completed downloads without a file, files in the bin that cannot be restored, and wrong numbers of videos. */
async function faultsOf({ library, user }: Person): Promise<unknown[]> {
  const pathOf = (video_id: string) => placeOf({ user_id: user.user_id, channel_id, video_id })
  const without_file: string[] = []
  for (const { video_id, download_status } of await library.videos.statuses(video_ids)) {
    if (download_status !== 'completed') continue
    const is_found = await library.downloads.findFile(video_id, recovered(app.files))
    if (is_found !== (await app.files.exists(pathOf(video_id)))) without_file.push(video_id)
    if (!is_found && !purged.has(pathOf(video_id))) without_file.push(video_id)
  }
  const unrestored: string[] = []
  for (const video_id of await library.bin.videoIds({ limit: 9 })) {
    const restored = await restoreDownload(library, { files: app.files, bin }, video_id).catch(ifGone)
    const is_back = restored !== 'gone' && restored.download_status === 'completed'
    if (is_back !== (await app.files.exists(pathOf(video_id)))) unrestored.push(video_id)
    if (!is_back && !purged.has(pathOf(video_id))) unrestored.push(video_id)
  }
  const counts = await sql`
    select entry_count, videos
    from   channels
    cross join lateral (
      select count(*) as videos
      from   video_entries entry
      where  entry.user_id = channels.user_id and entry.channel_id = channels.channel_id) counted
    where  user_id = ${user.user_id} and entry_count <> videos`
  return [...without_file, ...unrestored, ...counts]
}

it('a full disk removes the oldest deleted files of all people until there is room, and no more', async () => {
  await sql`delete from deleted_files`
  const people = [
    await personWith(sql, 'alice', channel_id, ['a1', 'a2']),
    await personWith(sql, 'bob', channel_id, ['b1']),
  ]
  const [alice, bob] = people as [Person, Person]
  for (const [owner, id] of [
    [alice, 'a1'],
    [bob, 'b1'],
    [alice, 'a2'],
  ] as const) {
    await onDisk(app.folder, owner, id)
    await deleteFile(owner.library, { files: app.files, bin }, id)
  }
  const left = async () =>
    (await readdir(join(app.folder, '.bin'), { recursive: true })).filter(name => /\/[ab]\d\.mp4$/.test(name))

  const hasRoom = async () => (await left()).filter(name => /[ab]1\.mp4$/.test(name)).length === 0
  expect(await makeRoom(sql, app.files, hasRoom)).toMatchObject({ has_room: true })
  expect((await left()).map(name => name.slice(-6))).toEqual(['a2.mp4'])

  expect(await makeRoom(sql, app.files, async () => false)).toMatchObject({ has_room: false })
  expect(await left()).toEqual([])
})

it('the bin of a deleted account is deleted', async () => {
  const alice = await person(sql, 'alice')
  await alice.library.channels.addVideo({ channel_id, title: 'Kitchen' }, entry('v1'))
  await onDisk(app.folder, alice, 'v1')
  await deleteFile(alice.library, { files: app.files, bin }, 'v1')
  await sql`delete from users where id = ${alice.user.user_id}`
  await app.files.forgetUser(alice.user.user_id)
  expect(await sql`select from deleted_files where user_id = ${alice.user.user_id}`).toHaveLength(0)
  expect(await readdir(join(app.folder, '.bin', alice.user.user_id)).catch(() => [])).toEqual([])
})

it('no deletion is final because a caller forgot the bin: every deletion requires it', () => {
  // `length` does not count a parameter that has a default.
  const deletions = { deleteFile, dropDownload, removeFiles, forgetVideo, unfollowChannel }
  for (const [name, { length }] of Object.entries(deletions)) expect({ name, length }).toEqual({ name, length: 3 })
})
