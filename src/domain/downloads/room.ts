/** Whether there is room for a download: on the disk, and in what one person may keep. A lack of it is a sentence, never a crash. */
import type { Library } from '../../db/library/library.ts'
import type { Progress } from '../../schema/download.ts'
import type { Failure } from '../../ytdlp/run/failure.ts'
import type { Files } from './files.ts'

export type RoomLimits = {
  /** Bytes that stay free on the disk of the downloads; 0: it may fill up. */
  min_free_bytes: number
  /** Bytes that one person may keep; 0: as many as fit. */
  quota_bytes: number
}

type Room = { library: Library; files: Files; room: RoomLimits }

export const no_limits: RoomLimits = { min_free_bytes: 0, quota_bytes: 0 }

/** What stands in the way of a download, before it starts (`progress` null) and while it runs. */
export async function lackOfRoom(
  { library, files, room }: Room,
  video_id: string,
  progress: Progress | null,
): Promise<Failure | undefined> {
  // What is known to come is counted as if it were here: better to stop now than after an hour.
  const got = progress?.downloaded_bytes ?? 0
  const whole = Math.max(got, progress?.total_bytes ?? 0)
  if (room.min_free_bytes > 0) {
    const left = (await files.freeBytes()) - (whole - got)
    if (left < room.min_free_bytes) return diskFull(left, room.min_free_bytes)
  }
  return overQuota({ library, room }, video_id, whole)
}

/** Whether a file of so many bytes is more than its owner may still keep; who has used up all of it may not even begin. */
export async function overQuota(
  { library, room: { quota_bytes } }: Pick<Room, 'library' | 'room'>,
  video_id: string,
  file_size: number,
): Promise<Failure | undefined> {
  if (quota_bytes === 0) return undefined
  const kept = (await library.videos.bytesUsed(video_id)) + Math.max(1, file_size)
  return kept > quota_bytes ? quotaReached(kept, quota_bytes) : undefined
}

const diskFull = (left: number, floor: number): Failure => ({
  kind: 'local',
  reason: 'no_room',
  sentence: 'There is not enough space left on the disk. Delete some videos, then try again.',
  detail: `${left} bytes would be left on the disk, of which ${floor} stay free`,
})

const quotaReached = (kept: number, quota_bytes: number): Failure => ({
  kind: 'local',
  reason: 'quota',
  sentence: `This would be more than the ${quota_bytes / 1e9} GB you can keep here. Delete some videos, then try again.`,
  detail: `${kept} bytes would be kept, of ${quota_bytes}`,
})
