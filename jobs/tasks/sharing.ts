/** The queries and parts with which tasks give one person a copy of another person's file. */
import { isUnchanged, sharedFiles } from '../../src/db/downloads/everyone/shared-files.ts'
import { libraryOf } from '../../src/db/library.ts'
import type { Sql } from '../../src/db/postgres/client.ts'
import type { Sharing } from '../../src/domain/downloads/shared-files.ts'
import { roomMaker } from './empty-bins.ts'
import type { TaskParts } from './task.ts'

export const sharingIn = (sql: Sql): Sharing => ({
  filesFor: wanted => sharedFiles(sql, wanted),
  isUnchanged: file => isUnchanged(sql, file),
})

export const giveParts = (parts: TaskParts, stopping: AbortSignal) => {
  const { sql, files, room, watchClaim, log, bin_is_here } = parts
  return {
    sharing: sharingIn(sql),
    libraryOf: libraryIn(sql),
    files,
    room,
    ...(bin_is_here && { makeRoom: roomMaker(parts) }),
    watchClaim,
    stopping,
    log,
  }
}

const libraryIn = (sql: Sql) => (user_id: Parameters<typeof libraryOf>[1]) => libraryOf(sql, user_id)
