/** Imports the files of a plan, one after the other. An import that is interrupted anywhere is continued by a new plan. */
import { chmod } from 'node:fs/promises'
import { DomainError } from '../../errors.ts'
import { diskFailure } from '../../ytdlp/failures/failure.ts'
import { isSameContent, isSamePlace, onDisk, removeFile } from './bring-file.ts'
import {
  type FileImportOutcome,
  type FileImportParts,
  importFile,
  isUnchanged,
  type WantedFile,
} from './import-file.ts'
import type { Plan, PlannedFile } from './plan.ts'

export type ImportDone = {
  imported: number
  bytes: number
  skipped: number
  /** Originals that were removed where they were. */
  removed: number
  /** Files that could not be linked. */
  copied: number
  /** Originals that stay although they were to be moved, because their conversion left something out. */
  stayed: number
  /** Why the import ended before its end, as a sentence; null: it did not. */
  stopped: string | null
}

type ImportOptions = {
  /** Also doubtful files of which the video is known. */
  with_doubtful: boolean
  /** After each file: how many are done. */
  onDone(done: number): void
  /** A file that was not imported, or an original that was not removed; a sentence. */
  onRemark(file: PlannedFile, sentence: string): void
}

export const isWanted = (file: PlannedFile, with_doubtful: boolean): file is WantedFile =>
  file.video !== null &&
  file.media !== null &&
  (file.verdict === 'recognised' || (with_doubtful && file.verdict === 'doubtful'))

/** When `signal` of `importing` is aborted, the file that is being imported ends first, except for a conversion. */
export async function runImport(importing: FileImportParts, plan: Plan, options: ImportOptions): Promise<ImportDone> {
  const done: ImportDone = { imported: 0, bytes: 0, skipped: 0, removed: 0, copied: 0, stayed: 0, stopped: null }
  let count = 0
  for await (const file of plan.files()) {
    if (importing.signal.aborted) return { ...done, stopped: interrupted }
    if (file.verdict === 'imported' && importing.manner === 'move') await removeLeftOver(importing, file, done, options)
    if (!isWanted(file, options.with_doubtful)) continue
    const result = await importOrReason(importing, file)
    if (result.outcome === 'stopped') return { ...done, stopped: result.reason }
    if (result.outcome === 'skipped') {
      done.skipped += 1
      options.onRemark(file, result.reason)
    } else await recordImported(importing, file, result, done, options)
    options.onDone(++count)
  }
  return done
}

const interrupted = 'It was interrupted.'

async function importOrReason(importing: FileImportParts, file: WantedFile): Promise<FileImportOutcome> {
  try {
    return await importFile(importing, file)
  } catch (cause) {
    if (importing.signal.aborted) return { outcome: 'stopped', reason: interrupted }
    // The limit of videos.
    if (cause instanceof DomainError && cause.code === 'invalid') return { outcome: 'stopped', reason: cause.message }
    const failure = diskFailure(cause)
    if (failure?.reason === 'no_room') return { outcome: 'stopped', reason: failure.sentence }
    if (failure?.kind === 'outage') return { outcome: 'stopped', reason: failure.detail }
    if (failure === undefined && !isAboutFile(cause)) throw cause
    return {
      outcome: 'skipped',
      reason: `It could not be brought into the library (${(cause as NodeJS.ErrnoException).code}).`,
    }
  }
}

/** A fault of the file system, which may be about this one file. */
const isAboutFile = (cause: unknown) => cause instanceof Error && 'syscall' in cause && 'path' in cause

async function recordImported(
  importing: FileImportParts,
  file: PlannedFile,
  { file_size, download_path, is_copied, unread_subtitles = [] }: Extract<FileImportOutcome, { outcome: 'imported' }>,
  done: ImportDone,
  options: ImportOptions,
): Promise<void> {
  done.imported += 1
  done.bytes += file_size
  if (is_copied) done.copied += 1
  for (const name of unread_subtitles)
    options.onRemark(
      file,
      `Its subtitles ${name} are left out. They are not text, in a format that ffmpeg does not read, above 4 MB, or more than 200.`,
    )
  if (importing.manner !== 'move') return
  if (!file.media?.loses_nothing) {
    done.stayed += 1
    return
  }
  const { files } = importing
  if (!(await files.exists(download_path)))
    return options.onRemark(file, 'It stays here, because its file in the library is gone already.')
  await removeOriginal(importing, file, await files.localPath(download_path), done, options)
}

/** An import was killed between the commit and this. The library has the same file, if it has the same content. */
async function removeLeftOver(importing: FileImportParts, file: PlannedFile, done: ImportDone, options: ImportOptions) {
  const { library, files } = importing
  const known = file.video && (await library.videos.status(file.video.video_id))
  const stored = known?.download_path == null ? undefined : await files.localPath(known.download_path)
  if (stored === undefined || !(await isSameContent(file.path, stored)))
    return options.onRemark(file, 'It stays here, because the file in the library may be another one.')
  await removeOriginal(importing, file, stored, done, options)
}

/** `stored`: the file in the library; `undefined`: it is on no disk of this machine. */
async function removeOriginal(
  { umask }: FileImportParts,
  file: PlannedFile,
  stored: string | undefined,
  done: ImportDone,
  { onRemark }: ImportOptions,
): Promise<void> {
  try {
    if (!(await isUnchanged(file)))
      return onRemark(file, 'It stays here, because it has changed since the plan was made.')
    if (stored !== undefined) {
      if (await isSamePlace(file.path, stored))
        return onRemark(file, 'It stays here, because it is the file in the library.')
      await onDisk(stored)
    }
    await removeFile(file.path)
    done.removed += 1
    // Both may have been one file until now, with the permissions of the original.
    if (stored !== undefined) await chmod(stored, 0o666 & ~umask)
  } catch (cause) {
    onRemark(file, `It is in the library, but could not be removed here (${(cause as NodeJS.ErrnoException).code}).`)
  }
}
