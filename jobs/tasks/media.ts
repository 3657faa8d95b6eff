/** Keeps the trees of people in MEDIA_DIR, the folder for media servers. */
import type { Task } from 'graphile-worker'
import { libraryOf } from '../../src/db/library.ts'
import { queueExchanges, queueMediaChecks, recordMediaService } from '../../src/db/media/everyone/media.ts'
import { addMediaUpdate, addRemovalOfTrees } from '../../src/db/queue/jobs.ts'
import { exchangeWith } from '../../src/domain/media/exchange.ts'
import { removeForgottenTrees, treeOf } from '../../src/domain/media/person-trees.ts'
import { updateTree } from '../../src/domain/media/update-tree.ts'
import { currentTime } from '../../src/runtime/clock.ts'
import { turnsFor } from '../../src/runtime/turns.ts'
import { ExchangeJob, MediaJob } from '../../src/schema/service/jobs.ts'
import { templateOf } from '../../src/schema/values/media-names.ts'
import { type TaskParts, taskOf } from './task-parts.ts'

type MediaTaskParts = Pick<TaskParts, 'sql' | 'files' | 'bin' | 'log'> & { media: NonNullable<TaskParts['media']> }

/** Updates one person's tree. Housekeeping queues each tree every few minutes, and every change of a file queues it too. */
export const mediaTask = ({ sql, files, bin, log, media: { dir, toJpeg } }: MediaTaskParts): Task =>
  taskOf(MediaJob, async ({ user_id }, signal) => {
    const library = libraryOf(sql, user_id)
    try {
      const person = await library.media.begin()
      if (!person) return await removeForgottenTrees(sql, dir)
      const tree = await treeOf(sql, dir, { user_id, ...person })
      const template = templateOf(person.wanted)
      const update = updateTree({ everyone: sql, library, files, bin, tree, template, toJpeg, signal, log }, person)
      // Also after an update that failed halfway.
      const result = await update.finally(() => library.servers.readAgain(person.stamp))
      if (result === 'more') await addMediaUpdate(sql, { user_id })
    } catch (fault) {
      if (signal.aborted) throw fault
      // The next check tries again, in some minutes. More tries would not help a disk that is away.
      log.warn({ err: fault, user_id }, 'a tree in MEDIA_DIR could not be updated')
    }
  })

type ExchangeTaskParts = Pick<TaskParts, 'sql' | 'secret_key' | 'openServer'> & Pick<MediaTaskParts, 'media'>

/** Exchanges with one media server what was watched. */
export function exchangeTask({ sql, media: { dir }, secret_key, openServer }: ExchangeTaskParts): Task {
  // A read of a network share that does not answer holds one of the four threads that read all files.
  const inTurn = turnsFor({ most: 1 })
  return taskOf(ExchangeJob, async ({ user_id, server_id }, signal) => {
    const library = libraryOf(sql, user_id)
    const server = await library.servers.begin(server_id)
    if (!server) return
    const user = { user_id, username: server.username, is_new: false }
    const { folder_name: folder } = await inTurn('', () => treeOf(sql, dir, user), signal)
    await exchangeWith({ secret_key, openServer, library, folder, signal }, server, currentTime())
  })
}

/** Removes the trees of deleted accounts. No row names these trees any longer. */
export const removeTreesTask =
  ({ sql, log, media: { dir } }: Pick<MediaTaskParts, 'sql' | 'log' | 'media'>): Task =>
  () =>
    removeForgottenTrees(sql, dir).then(
      () => {},
      (fault: unknown) => log.warn({ err: fault }, 'trees of deleted accounts could not be removed from MEDIA_DIR'),
    )

/**
 * A step of housekeeping: records that a worker has MEDIA_DIR, and queues what is due. It reads no folder, because MEDIA_DIR may be on a
 * network share that does not answer, and then only the jobs of MEDIA_DIR may wait.
 */
export async function checkMedia({ sql, media }: Pick<TaskParts, 'sql' | 'media'>): Promise<void> {
  if (!media) return
  await recordMediaService(sql)
  await queueMediaChecks(sql)
  await queueExchanges(sql)
  await addRemovalOfTrees(sql)
}
