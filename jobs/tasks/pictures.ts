/** Fetches the pictures of videos and channels, and keeps them: plans missing ones, deletes unused ones. */
import type { Task } from 'graphile-worker'
import { isPausedForEveryone, pictures_prefix } from '../../src/db/queue/host-pauses.ts'
import { queueNextPictures } from '../../src/db/queue/picture-plans.ts'
import { continuePass, deleteUnused, queueAllPictures } from '../../src/db/videos/everyone/due-pictures.ts'
import { storageTrouble } from '../../src/domain/downloads/room.ts'
import { turnsFor } from '../../src/runtime/turns.ts'
import { PicturesJob } from '../../src/schema/service/jobs.ts'
import { picture_sizes } from '../../src/schema/values/picture.ts'
import { picturePath } from '../../src/store/paths.ts'
import type { PictureToConvert } from '../../src/ytdlp/convert/convert-picture.ts'
import { type TaskParts, taskOf } from './task-parts.ts'

/** Four requests a second to one host. A browser that shows a page sends more, but not for hours. */
const pictures_apart_ms = 250

/** Conversions at once over all jobs. A conversion takes a processor for a tenth of a second, and up to 200 MB. */
const max_conversions_at_once = 2

type PictureTaskParts = Pick<
  TaskParts,
  'sql' | 'files' | 'fetchPicture' | 'checkHost' | 'convertPicture' | 'findTools' | 'room' | 'host_limits' | 'log'
>

/** Fetches and stores the pictures that are due at one host, for half a minute, and adds another job while something is due there. */
export function picturesTask(parts: PictureTaskParts): Task {
  const { sql, files, fetchPicture, checkHost, convertPicture, findTools, room, host_limits, log } = parts
  const inTurn = turnsFor({ most: max_conversions_at_once })
  let logged: string | undefined
  /** Pictures wait until the reason is gone: housekeeping queues them again. Each reason is logged once. */
  const wait = (reason: string) => {
    if (logged !== reason) log.warn(`Pictures are not fetched: ${reason}`)
    logged = reason
  }
  return taskOf(PicturesJob, async ({ host }, stopping) => {
    if (await isPausedForEveryone(sql, pictures_prefix + host)) return
    const tools = await findTools()
    if ('missing' in tools) return wait(tools.missing)
    const trouble = await storageTrouble(files)
    if (trouble !== undefined) return wait(trouble)
    if (room.min_free_bytes > 0 && (await files.freeBytes()) < room.min_free_bytes) return wait('the disk is full.')
    logged = undefined
    // Loaded with the first picture.
    const { fetchPictures } = await import('../../src/domain/videos/fetch-pictures.ts')
    const work = {
      everyone: sql,
      files,
      fetchPicture,
      checkHost,
      signal: stopping,
      convert: (picture: PictureToConvert, signal: AbortSignal) =>
        inTurn(host, () => convertPicture(tools, picture, signal), signal),
      apart_ms: host_limits.isOurs(host) ? 0 : pictures_apart_ms,
      onFault: (err: unknown, { url }: { url: string }) => log.warn({ err, url }, 'a picture could not be stored'),
    }
    const { ended, stored } = await fetchPictures(work, host)
    log.debug({ host, ended, stored }, 'pictures were fetched')
    if (ended === 'more') await queueNextPictures(sql, host)
    if (ended === 'paused') log.info({ host }, 'a host refuses pictures and is paused for them')
  })
}

/** Per minute, so that five million videos are read in about four hours. A part locks its pictures for less than half a second. */
const pass_pace = { parts: 4, rows: 5000 }
/** Per hour. The files of a part are removed in one transaction. */
const deletion_pace = { parts: 600, pictures: 100 }

async function planPicturesOfPass({ sql }: Pick<TaskParts, 'sql'>): Promise<void> {
  for (let part = 0; part < pass_pace.parts; part++) if (!(await continuePass(sql, pass_pace.rows))) return
}

export async function deleteUnusedPictures({ sql, files }: Pick<TaskParts, 'sql' | 'files'>): Promise<void> {
  const remove = async (picture_id: string) => {
    for (const size of picture_sizes) await files.remove(picturePath(picture_id, size))
  }
  for (let part = 0; part < deletion_pace.parts; part++)
    if ((await deleteUnused(sql, deletion_pace.pictures, remove)) < deletion_pace.pictures) return
}

/** Queues the hosts that have due pictures; without tools, none. */
async function queueHostsOfPictures({ sql, toolReport }: Pick<TaskParts, 'sql' | 'toolReport'>): Promise<void> {
  if (toolReport().missing === null) await queueAllPictures(sql)
}

/** The steps of housekeeping for pictures, each minute. */
export const picture_steps = { planPicturesOfPass, queueHostsOfPictures }
