/** Removes deleted files for good: files that are too old, and all files of the bin when a download needs room. */
import { expiredFiles, forgetExpiredChannels } from '../../src/db/bin/everyone/bin.ts'
import { libraryOf } from '../../src/db/library.ts'
import { makeRoom, sweepBin } from '../../src/domain/bin/removal.ts'
import { purgeFiles } from '../../src/domain/downloads/deletions.ts'
import type { MakeRoom } from '../../src/domain/downloads/room.ts'
import { sweepSounds } from '../../src/domain/downloads/sounds.ts'
import { turnsFor } from '../../src/runtime/turns.ts'
import type { TaskParts } from './task-parts.ts'

type BinParts = Pick<TaskParts, 'sql' | 'files' | 'log'>

/** The limits of one minute. The rest is removed in the next one. */
const max_files_a_minute = 1000
const max_channels_a_minute = 50

/** Removes files that have been in the bin for `bin.hours`, and forgets channels that were unfollowed as long ago. */
export async function removeExpired({ sql, files, bin, log }: BinParts & Pick<TaskParts, 'bin'>): Promise<void> {
  for (const { user_id, video_id } of await expiredFiles(sql, bin.hours, max_files_a_minute))
    await purgeFiles(libraryOf(sql, user_id), files, [video_id]).catch((fault: unknown) =>
      log.warn({ err: fault, video_id }, 'a deleted file could not be removed'),
    )
  await forgetExpiredChannels(sql, bin.hours, max_channels_a_minute)
}

/** Milliseconds between two readings of the whole bin by a worker. */
const sweep_every_ms = 3_600_000
/** Files that one sweep removes. Each removal reads the paths of all files of its person once more. */
const max_swept_files = 100
/** When the bin of each storage was last read, in milliseconds of `performance.now()`. */
const swept_at_ms = new WeakMap<BinParts['files'], number>()

/** Removes files from the bin that no row names, and sounds whose film is gone. */
export async function sweepBins({ sql, files, bin, log }: BinParts & Pick<TaskParts, 'bin'>): Promise<void> {
  const at_ms = performance.now()
  if (at_ms - (swept_at_ms.get(files) ?? Number.NEGATIVE_INFINITY) < sweep_every_ms) return
  swept_at_ms.set(files, at_ms)
  const removed = await sweepBin(sql, files, { hours: bin.hours, limit: max_swept_files }, new Date())
  if (removed > 0) log.info({ files: removed }, 'removed files from the bin that no deletion had recorded')
  await sweepSounds(sql, files, max_swept_files)
}

/** Milliseconds. A run that finds room this soon after another run emptied the bin may start again too. */
const recent_ms = 60_000
/** When the bin of each storage was last emptied for a run, in milliseconds of `performance.now()`. */
const emptied_at_ms = new WeakMap<BinParts['files'], number>()
const inTurn = turnsFor({ most: 1 })

/** Makes room for a download by emptying the bin, for one run after the other. `is_emptied`: this run or another one has just done it. */
export const roomMaker =
  ({ sql, files, log }: BinParts): MakeRoom =>
  async hasRoom => {
    const { has_room, bytes } = await inTurn('', () => makeRoom(sql, files, hasRoom))
    if (bytes > 0) {
      emptied_at_ms.set(files, performance.now())
      log.info({ bytes, has_room }, 'removed deleted files for good, because the disk is full')
    }
    const is_recent = performance.now() - (emptied_at_ms.get(files) ?? Number.NEGATIVE_INFINITY) < recent_ms
    return { has_room, is_emptied: bytes > 0 || (has_room && is_recent) }
  }
