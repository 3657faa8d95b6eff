/** Checks whether there is room for a download: on the disk, and in its owner's quota. */
import type { Library } from '../../db/library/library.ts'
import type { Progress } from '../../schema/download.ts'
import type { Failure } from '../../ytdlp/run/failure.ts'
import type { Files } from './files.ts'

export type RoomLimits = {
  /** Bytes that must stay free on the disk of the downloads; 0: it may fill up. */
  min_free_bytes: number
  /** Bytes that one person may keep; 0: no limit. */
  quota_bytes: number
}

type Room = { library: Library; files: Files; room: RoomLimits }

export const no_limits: RoomLimits = { min_free_bytes: 0, quota_bytes: 0 }

/** Why there is no room, before the download starts (`progress` is null) and while it runs; `undefined`: there is room. */
export async function lackOfRoom(
  { library, files, room }: Room,
  video_id: string,
  progress: Progress | null,
): Promise<Failure | undefined> {
  // Bytes that are still to come count as well: it is better to stop now than after an hour.
  const got = progress?.downloaded_bytes ?? 0
  const total = Math.max(got, progress?.total_bytes ?? 0)
  if (room.min_free_bytes > 0) {
    const left = (await files.freeBytes()) - (total - got)
    if (left < room.min_free_bytes) return diskFull(left, room.min_free_bytes)
  }
  return overQuota({ library, room }, video_id, total)
}

/** Whether a file of this size exceeds its owner's quota. A person who has used up the quota cannot start a download at all. */
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
