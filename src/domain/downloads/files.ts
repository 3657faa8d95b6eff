/**
 * The files of downloads: work folders of runs, and finished videos with their subtitles. Touches nothing outside the
 * downloads folder.
 *
 * Each run has its own folder in `.work`; a rename passes unfinished files to the next run. So two runs of one video,
 * one of them dying, never write the same file.
 */
import { constants } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, readdir, realpath, rename, rm, rmdir, statfs } from 'node:fs/promises'
import { basename, dirname, extname, join, sep } from 'node:path'
import type { Extension } from '../../schema/quality.ts'
import { Language, type SubtitleFile } from '../../schema/subtitles.ts'
import type { UserId } from '../../schema/user.ts'

/** One run of one download. Two runs of the same video never share a folder, even while one is still ending. */
export type Run = { user_id: UserId; video_id: string; claim: string }

export interface Files {
  /** Makes the folder of one run. It contains the partial files of the run before, so that the download can resume. */
  workFolder(run: Run): Promise<string>
  /** Leaves the folder of a run that ended early to the next run. */
  leaveWork(run: Run): Promise<void>
  /** Removes folders of runs not in `claims` after an hour, and partial files that no run resumed after a week. */
  forgetAbandoned(claims: ReadonlySet<string>, now: Date): Promise<void>
  /** Free bytes on the disk of the downloads; infinite where the system does not tell. */
  freeBytes(): Promise<number>
  /** Removes the folder of a run, or without a claim the partial files of earlier runs. */
  forgetWork(run: Omit<Run, 'claim'> & { claim?: string }): Promise<void>
  /** Removes all files of a user, finished or not. */
  forgetUser(user_id: UserId): Promise<void>
  /** The path of a finished video, relative to the downloads folder. */
  placeOf(video: { user_id: UserId; channel_id: string; video_id: string; extension?: Extension }): string
  /** Moves a finished file into its place in one step, with its subtitles next to it. Doing it twice has the same result. */
  keep(file: string, download_path: string, subtitles?: SubtitleFile[]): Promise<void>
  /** `undefined`: there is no such regular file inside the downloads folder. The caller closes it. */
  open(download_path: string): Promise<OpenFile | undefined>
  exists(download_path: string): Promise<boolean>
  /** Removes the file, its subtitles and empty folders. A file that is missing already is no error. */
  remove(download_path: string): Promise<void>
}

/** `download_path`: relative to the downloads folder. */
export type OpenFile = { download_path: string; handle: FileHandle; size: number; modified_at: Date; etag: string }

export function filesIn(downloads_dir: string): Files {
  const root = mkdir(downloads_dir, { recursive: true }).then(() => realpath(downloads_dir))
  root.catch(() => {})
  const workOf = async ({ user_id, video_id, claim = 'left' }: Omit<Run, 'claim'> & { claim?: string }) =>
    join(await root, '.work', user_id, segment(video_id), claim)

  /** The real path; `undefined` when it is missing, no regular file, or leads out of the folder by `..` or a link. */
  const inside = async (download_path: string) => {
    const wanted = join(await root, download_path)
    if (download_path.includes('\0') || !wanted.startsWith((await root) + sep)) return undefined
    const real = await realpath(wanted).catch(() => undefined)
    if (real !== wanted) return undefined
    return (await lstat(real)).isFile() ? real : undefined
  }

  return {
    async workFolder(run) {
      const folder = await workOf(run)
      await mkdir(dirname(folder), { recursive: true })
      await rename(await workOf({ ...run, claim: 'left' }), folder).catch(() => mkdir(folder))
      return folder
    },

    async leaveWork(run) {
      const [own, left] = [await workOf(run), await workOf({ ...run, claim: 'left' })]
      await rename(own, left).catch(async (fault: NodeJS.ErrnoException) => {
        // Another process has moved it already.
        if (fault.code === 'ENOENT') return
        await rm(left, { recursive: true, force: true })
        await rename(own, left).catch(() => {})
      })
    },

    async forgetWork(run) {
      const folder = await workOf(run)
      await rm(folder, { recursive: true, force: true })
      await rmdir(dirname(folder)).catch(() => {})
    },

    async forgetUser(user_id) {
      for (const folder of ['.work', '.'])
        await rm(join(await root, folder, user_id), { recursive: true, force: true, maxRetries: 3 })
    },

    async forgetAbandoned(claims, now) {
      const work = join(await root, '.work')
      const longest_ms = { run: 3_600_000, left: 7 * 24 * 3_600_000 }
      for (const name of await readdir(work, { recursive: true }).catch(() => [])) {
        const [user_id, video, claim, deeper] = name.split(sep)
        if (!user_id || !video || !claim || deeper || claims.has(claim)) continue
        const { mtimeMs } = await lstat(join(work, name)).catch(() => ({ mtimeMs: now.getTime() }))
        if (now.getTime() - mtimeMs < longest_ms[claim === 'left' ? 'left' : 'run']) continue
        await rm(join(work, name), { recursive: true, force: true })
        await rmdir(join(work, user_id, video)).catch(() => {})
      }
      // Folders of deleted users. A new folder may be empty because a run is about to use it, so it is kept for an hour.
      for (const user_id of await readdir(work).catch(() => [])) {
        const folder = join(work, user_id)
        const { mtimeMs } = await lstat(folder).catch(() => ({ mtimeMs: now.getTime() }))
        if (now.getTime() - mtimeMs >= longest_ms.run) await rmdir(folder).catch(() => {})
      }
    },

    async freeBytes() {
      const { bavail, bsize } = await statfs(await root).catch(() => ({ bavail: Number.POSITIVE_INFINITY, bsize: 1 }))
      return bavail * bsize
    },

    placeOf: ({ user_id, channel_id, video_id, extension = 'mp4' }) =>
      [user_id, segment(channel_id), `${segment(video_id)}.${extension}`].join('/'),

    async keep(file, download_path, subtitles = []) {
      const place = join(await root, download_path)
      await mkdir(dirname(place), { recursive: true })
      for (const { language, file } of subtitles)
        await rename(file, join(await root, subtitlePath(download_path, language))).catch(ignoreMissing)
      await rename(file, place).catch(async (fault: NodeJS.ErrnoException) => {
        if (fault.code !== 'ENOENT' || !(await this.exists(download_path))) throw fault
      })
    },

    async open(download_path) {
      const path = await inside(download_path)
      if (!path) return undefined
      const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
      const { size, mtime, mtimeMs } = await handle.stat()
      const etag = `"${size.toString(36)}-${Math.round(mtimeMs).toString(36)}"`
      return { download_path, handle, size, modified_at: mtime, etag }
    },

    exists: async download_path => (await inside(download_path)) !== undefined,

    async remove(download_path) {
      const path = await inside(download_path)
      const channel = dirname(join(await root, download_path))
      // Subtitles are removed even when the file itself is missing, but not when the path leads out of the folder.
      if (!path && (await realpath(channel).catch(() => undefined)) !== channel) return
      if (!channel.startsWith((await root) + sep)) return
      for (const name of await readdir(channel))
        if (isSubtitleOf(name, basename(download_path))) await rm(join(channel, name), { force: true })
      if (path) await rm(path, { force: true })
      for (const folder of [channel, dirname(channel)]) await rmdir(folder).catch(() => {})
    },
  }
}

/** The path of the subtitles in one language, next to their video. */
export const subtitlePath = (download_path: string, language: string): string =>
  `${stemOf(download_path)}.${language}.vtt`

/** A language contains no dot, which distinguishes the video `a.en` from subtitles of `a`. */
const isSubtitleOf = (name: string, video: string) => {
  const [, stem, language] = /^(.*)\.([^.]*)\.vtt$/.exec(name) ?? []
  return stem === stemOf(video) && Language.safeParse(language).success
}

const stemOf = (path: string) => path.slice(0, -extname(path).length)

/** For a move that may be repeated: the file was moved already. */
const ignoreMissing = (fault: NodeJS.ErrnoException) => {
  if (fault.code !== 'ENOENT') throw fault
}

/** An identifier as one path segment, even if it is not URL-safe. */
const segment = (id: string) => encodeURIComponent(id).replace(/^\.+/, dots => '%2E'.repeat(dots.length))
