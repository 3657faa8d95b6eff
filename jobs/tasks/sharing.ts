import { roomMaker } from './empty-bins.ts'
import type { TaskParts } from './task.ts'

export const giveParts = (parts: TaskParts, stopping: AbortSignal) => {
  const { sql, files, room, watchClaim, log, bin_is_here } = parts
  return {
    sharing: sql,
    files,
    room,
    ...(bin_is_here && { makeRoom: roomMaker(parts) }),
    watchClaim,
    stopping,
    log,
  }
}
