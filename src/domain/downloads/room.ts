/** Checks whether there is room for a download: on the disk, and in its owner's quota. */
import type { Library } from '../../db/library.ts'
import type { Progress } from '../../schema/downloads/download.ts'
import { awaySentence, type Files } from '../../store/files.ts'
import { diskFailure, type Failure, failed, failures } from '../../ytdlp/failures/failure.ts'

export type RoomLimits = {
  /** Bytes that must stay free on the disk of the downloads; 0: the disk may fill up. */
  min_free_bytes: number
  /** Bytes that a person without a quota of their own may keep; 0: no limit. */
  quota_bytes: number
}

export type Room = {
  library: Library
  files: Files
  room: RoomLimits
  makeRoom?: MakeRoom | undefined
}

/**
 * Empties the bins, oldest files first, until there is room. `is_emptied`: files were removed, now or a moment ago for another run that
 * met the same full disk. Absent: the bins are not on this disk.
 */
export type MakeRoom = (hasRoom: () => Promise<boolean>) => Promise<{ has_room: boolean; is_emptied: boolean }>

export const no_limits: RoomLimits = { min_free_bytes: 0, quota_bytes: 0 }

/** Why nothing can be stored now, whatever the video; `undefined`: something can. Asks a bucket, too. */
export const storageFailure = (files: Pick<Files, 'requireReachable'>): Promise<Failure | undefined> =>
  failureWhy(files.requireReachable())

const failureWhy = (requiring: Promise<void>): Promise<Failure | undefined> =>
  requiring.then(() => undefined, diskFailure)

/** Why nothing can be stored now, as a sentence for the administrator; `undefined`: something can. */
export const storageTrouble = (files: Pick<Files, 'requireWritable'>): Promise<string | undefined> =>
  sentenceWhy(files.requireWritable())

/** Like `storageTrouble`, and also asks a bucket whether it answers. */
export const reachTrouble = (files: Pick<Files, 'requireReachable'>): Promise<string | undefined> =>
  sentenceWhy(files.requireReachable())

const sentenceWhy = (requiring: Promise<void>): Promise<string | undefined> =>
  requiring.then(
    () => undefined,
    (fault: unknown) => (awaySentence(fault) === undefined ? undefined : (fault as Error).message),
  )

/** Why there is no room, before the download starts (`progress` is null) and while it runs; `undefined`: there is room. */
export async function lackOfRoom(
  { library, files, room, makeRoom }: Room,
  video_id: string,
  progress: Progress | null,
): Promise<Failure | undefined> {
  // Bytes that are still to come count as well: it is better to stop now than after an hour.
  const got = progress?.downloaded_bytes ?? 0
  const total = Math.max(got, progress?.total_bytes ?? 0)
  // A bucket is asked when a file is sent to it.
  const away = await failureWhy(files.requireWritable())
  if (away) return away
  return (await lackOfDisk({ files, room, makeRoom }, total - got)) ?? overQuota({ library, room }, video_id, total)
}

/** Why the disk has no room for this many bytes more; `undefined`: there is room. */
export async function lackOfDisk(
  { files, room: { min_free_bytes }, makeRoom }: Omit<Room, 'library'>,
  bytes: number,
): Promise<Failure | undefined> {
  if (min_free_bytes === 0) return undefined
  const bytesLeft = async () => (await files.freeBytes()) - bytes
  const hasRoom = async () => (await bytesLeft()) >= min_free_bytes
  // Files that people have deleted give way to a download.
  if ((await hasRoom()) || (await makeRoom?.(hasRoom))?.has_room) return undefined
  return diskFull(await bytesLeft(), min_free_bytes)
}

/** Bytes that a run which met a full disk needs at least for its next attempt. */
const least_bytes = 256e6

/**
 * Whether the bins had something to remove for a run that met a full disk, so that the run can be tried again. The run needs as much room
 * as it had filled, because no one knows how much was missing. The words of a site alone remove nothing: the disk must lack that room.
 */
export async function emptiedBins(
  { files, room: { min_free_bytes }, makeRoom }: Omit<Room, 'library'>,
  filled_bytes: number,
): Promise<boolean> {
  const wanted = Math.max(min_free_bytes, least_bytes, filled_bytes)
  const made = await makeRoom?.(async () => (await files.freeBytes()) >= wanted)
  return made?.is_emptied ?? false
}

/** Whether a file of this size exceeds its owner's quota. A person who has used up the quota cannot start a download at all. */
export async function overQuota(
  { library, room }: Pick<Room, 'library' | 'room'>,
  video_id: string,
  file_size: number,
): Promise<Failure | undefined> {
  const quota_bytes = await library.space.quota(room.quota_bytes)
  if (quota_bytes === null) return undefined
  const kept = (await library.videos.bytesUsed(video_id)) + Math.max(1, file_size)
  return kept > quota_bytes ? quotaReached(kept, quota_bytes) : undefined
}

const diskFull = (left: number, floor: number): Failure => ({
  ...failures.disk_full,
  detail: `${left} bytes would be left on the disk, of which ${floor} stay free`,
})

const quotaReached = (kept: number, quota_bytes: number): Failure =>
  failed('quota', quotaSentence(quota_bytes), `${kept} bytes would be kept, of ${quota_bytes}`)

export const quotaSentence = (quota_bytes: number): string =>
  `This would be more than the ${quota_bytes / 1e9} GB you can keep here. Delete some videos, then try again.`
