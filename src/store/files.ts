/**
 * The interface of every kind of storage: it keeps finished videos, their subtitles and the sounds cut out of them beside them, and
 * pictures; it has a bin for deleted videos.
 * Paths are relative to the downloads folder (`paths.ts`). `local-files.ts` is a folder of this machine, `bucket-files.ts` object storage.
 * The sentences for people about a storage that is away are here too.
 */
import { writeFile } from 'node:fs/promises'
import { type ByteSource, closeSource, isOnDisk } from '../runtime/sending.ts'
import type { BinLimits } from '../schema/bin/bin.ts'
import type { SubtitleFile } from '../schema/sources/subtitles.ts'
import type { UserId } from '../schema/values/user.ts'
import type { ArrivingVideos } from './arriving.ts'
import type { Work } from './work.ts'

/** The work folders of runs are always on this machine, because yt-dlp and ffmpeg write there. */
export interface Files extends Work {
  arriving: ArrivingVideos
  /**
   * Prepares a finished file of a work folder for its place. This may take as long as copying the file; `put` then is one quick step,
   * in which the file and its subtitles appear at the place. `put` may be repeated. `drop` ends it without a file.
   */
  stage(file: string, download_path: string, subtitles?: SubtitleFile[], options?: StageOptions): Promise<Staged>
  /**
   * Prepares a copy of a stored file, with the subtitles in these languages. Where the storage can, both are then one file on the
   * disk until one of them is removed. `undefined`: there is no such file. `work_folder`: of the run that gets the copy.
   * `hasRoomFor` is called only before bytes are copied on this machine; if it returns `false`, there is no copy (`undefined`).
   */
  stageCopy(
    from: { download_path: string; languages: string[] },
    download_path: string,
    work_folder: string,
    options?: StageOptions & { hasRoomFor?: (bytes: number) => Promise<boolean> },
  ): Promise<Staged | undefined>
  /**
   * `undefined`: there is no such regular file. Throws while the whole storage is away, because no file is lost then. The caller closes it.
   */
  open(download_path: string): Promise<OpenFile | undefined>
  /** Throws while the whole storage is away. */
  exists(download_path: string): Promise<boolean>
  /** Stores a small file, such as a picture, as a whole: no reader ever sees a part of it. Replaces the file that is there. */
  write(path: string, bytes: Uint8Array): Promise<void>
  /** The whole of a small file; `undefined`: there is no such regular file. */
  read(path: string): Promise<Uint8Array<ArrayBuffer> | undefined>
  /** The file's path on this machine; `undefined`: it is missing, or not on a disk of this machine. */
  localPath(download_path: string): Promise<string | undefined>
  // The following functions take some hundred files at once, because a folder with thousands of files is then read only once.
  /** Removes the files, what is beside them, and empty folders. A file that is missing already is not an error. */
  remove(...download_paths: string[]): Promise<void>
  /**
   * Moves the files and what is beside them into the bin, each in one quick step. The bin has one file for each place; an older one is
   * removed.
   */
  discard(...download_paths: string[]): Promise<void>
  /** Moves the files back from the bin. `false`: the bin does not have one of the files; the others are moved. */
  recover(...download_paths: string[]): Promise<boolean>
  /** Removes the files and what is beside them from the bin. A file that is missing already is not an error. */
  purge(...download_paths: string[]): Promise<void>
  /** The path of this file while it is in the bin, relative as `download_path` is. In object storage it is the same path. */
  inBin(download_path: string): string
  /**
   * The videos in the bin, a list for each folder, with the time at which each was put there or written last. None in object storage,
   * where deleted files stay at their places.
   */
  binned(): AsyncIterable<{ download_path: string; binned_at: Date }[]>
  /** Removes all files of a user: finished, unfinished and deleted ones. */
  forgetUser(user_id: UserId): Promise<void>
}

/** What keeps files, and for how long deleted ones. */
export type Store = { files: Files; bin: BinLimits }

/** `signal`: ends a transfer to another machine early. What was sent is removed. */
export type StageOptions = { signal?: AbortSignal | undefined }

export type Staged = { file_size: number; put(): Promise<void>; drop(): Promise<void> }

/** `download_path`: relative to the downloads folder. Closed by `closeSource`, or by `bodyOf` when its body ends. */
export type OpenFile = {
  source: ByteSource
  size: number
  modified_at: Date
  etag: string
  /** An address from which everyone can read the file for some hours. Only object storage has it. */
  signedUrl?(as: SentAs): Promise<string>
}

/** Copies a file from another machine, or its first `most` bytes. `undefined`: there is no such file. */
export async function copyFrom(
  files: Files,
  download_path: string,
  copy: string,
  { signal, most = Number.POSITIVE_INFINITY }: { signal: AbortSignal; most?: number },
): Promise<string | undefined> {
  const open = await files.open(download_path)
  if (!open) return undefined
  const { source, size } = open
  // The file is on this machine, but was not there a moment ago.
  if (isOnDisk(source)) return void (await closeSource(source))
  await writeFile(copy, await source(0, Math.min(size, most) - 1, signal), { signal })
  return copy
}

/** The headers that the storage sends with the file. */
export type SentAs = { type: string; disposition?: string | undefined }

const cannot_read = "The stored files can't be reached right now. Try again in a moment."
const cannot_write =
  "The stored files can't be changed right now, because their disk is read-only. Try again later, or tell your administrator."

const sentences: Record<string, string> = {
  STORAGE_AWAY: cannot_read,
  STORAGE_CLOCK: cannot_read,
  STORAGE_REFUSED: cannot_read,
  STORAGE_READ_ONLY: cannot_write,
  EROFS: cannot_write,
}

/**
 * What to tell people when the whole storage does not answer or refuses us, which says nothing about the file that was wanted; `undefined`:
 * the error is not about the whole storage.
 */
export const awaySentence = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error ? sentences[String(error.code)] : undefined
