/**
 * The work folders of runs, on this machine. Each run has its own folder; a rename gives unfinished files to the next run. So two runs of
 * one video never write the same file, even while the first one is still ending.
 */
import { lstat, mkdir, readdir, rename, rm, rmdir, statfs, writeFile } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { serves_one_run } from '../schema/downloads/run.ts'
import type { UserId } from '../schema/values/user.ts'
import { segment } from './paths.ts'

/** One run of one download. Two runs of the same video never share a folder, even while one is still ending. */
export type Run = { user_id: UserId; video_id: string; claim: string }

/** Without a claim: what earlier runs left. */
type SomeRun = Omit<Run, 'claim'> & { claim?: string }

export type Work = ReturnType<typeof workIn>

/** `folder`: the real path of the folder in which `.work` is made. `writable`: the same, and throws while nothing can be written there. */
export function workIn(folder: Promise<string>, writable = () => folder) {
  const workOf = async ({ user_id, video_id, claim = 'left' }: SomeRun) =>
    join(await folder, '.work', user_id, segment(video_id), claim)

  const disk = async () => {
    const place = await writable()
    const { bavail, blocks, bsize } = await statfs(place).catch(() => unknown_disk)
    return { free_bytes: bavail * bsize, size_bytes: blocks * bsize }
  }

  const requireWritable = async () => {
    await writable()
  }

  return {
    /** Makes the folder of one run. It contains the partial files of the run before, so that the download can resume. */
    async workFolder(run: Run) {
      await writable()
      const own = await workOf(run)
      // The end of another run may remove the empty folder of the video at any moment.
      await rename(await workOf({ ...run, claim: 'left' }), own).catch(() => mkdir(own, { recursive: true }))
      return own
    },

    /** Remembers that the folder has what its person alone may get, also for the runs to which it is left. */
    async keepPrivate(run: Run) {
      await writeFile(join(await workOf(run), private_note), '')
    },

    async isPrivate(run: Run) {
      return (await lstat(join(await workOf(run), private_note)).catch(() => undefined)) !== undefined
    },

    /** Leaves the folder of a run that ended early to the next run, without what served this run alone. */
    async leaveWork(run: Run) {
      const [own, left] = [await workOf(run), await workOf({ ...run, claim: 'left' })]
      await removeOwn(own)
      await rename(own, left).catch(async (fault: NodeJS.ErrnoException) => {
        // Another process has moved it already.
        if (fault.code === 'ENOENT') return
        await rm(left, { recursive: true, force: true })
          .then(() => rename(own, left))
          .catch(ignoreAll)
      })
    },

    /** Removes the folder of a run, or without a claim the partial files of earlier runs. */
    async forgetWork(run: SomeRun) {
      const own = await workOf(run)
      await rm(own, { recursive: true, force: true }).catch(ignoreAll)
      await rmdir(dirname(own)).catch(() => {})
    },

    /** Removes folders of runs not in `claims` after an hour, and partial files that no run resumed after a week. */
    forgetAbandoned: async (claims: ReadonlySet<string>, now: Date) =>
      removeAbandonedWork(join(await folder, '.work'), claims, now),

    /** Throws while nothing can be stored. The message of the error tells the administrator what to do. */
    requireWritable,
    /** Throws as `requireWritable` does, and also while a bucket does not answer. */
    requireReachable: requireWritable,

    /** Free bytes and size of the disk of the work folders; infinite where the system does not tell. Throws as `requireWritable` does. */
    disk,

    /** Free bytes on that disk; infinite where the system does not tell. */
    freeBytes: async () => (await disk()).free_bytes,
  }
}

const private_note = 'private.txt'

/** If something cannot be removed, the whole folder is, because it may have the cookies of a person. */
async function removeOwn(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  const removed = names
    .filter(name => serves_one_run.test(name))
    .map(name => rm(join(folder, name), { recursive: true, force: true }))
  const results = await Promise.allSettled(removed)
  if (results.some(({ status }) => status === 'rejected'))
    await rm(folder, { recursive: true, force: true }).catch(ignoreAll)
}

const unknown_disk = { bavail: Number.POSITIVE_INFINITY, blocks: Number.POSITIVE_INFINITY, bsize: 1 }

const longest_ms = { run: 3_600_000, left: 7 * 24 * 3_600_000 }

/** `work`: the folder of all work folders. */
async function removeAbandonedWork(work: string, claims: ReadonlySet<string>, now: Date): Promise<void> {
  const ageOf = async (path: string) =>
    now.getTime() - ((await lstat(path).catch(() => undefined))?.mtimeMs ?? now.getTime())
  for (const name of await readdir(work, { recursive: true }).catch(() => [])) {
    const [user_id, video, claim, deeper] = name.split(sep)
    if (!user_id || !video || !claim || deeper || claims.has(claim)) continue
    if ((await ageOf(join(work, name))) < longest_ms[claim === 'left' ? 'left' : 'run']) continue
    await rm(join(work, name), { recursive: true, force: true })
    await rmdir(join(work, user_id, video)).catch(() => {})
  }
  // Folders of deleted users. A new folder may be empty because a run is about to use it, so it is kept for an hour.
  for (const user_id of await readdir(work).catch(() => []))
    if ((await ageOf(join(work, user_id))) >= longest_ms.run) await rmdir(join(work, user_id)).catch(() => {})
}

/** On a disk that is read-only or away. `forgetAbandoned` removes the folder later. */
const ignoreAll = () => {}
