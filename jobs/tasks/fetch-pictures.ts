/** Fetches and stores the pictures that are due at one host, for half a minute, and then another job while something is due there. */
import type { Task } from 'graphile-worker'
import { isPausedForEveryone, pictures_prefix } from '../../src/db/queue/host-pauses.ts'
import { queueNextPictures } from '../../src/db/queue/pictures.ts'
import { storageTrouble } from '../../src/domain/downloads/room.ts'
import { turnsFor } from '../../src/runtime/turns.ts'
import { PicturesJob } from '../../src/schema/service/jobs.ts'
import type { PictureToConvert } from '../../src/ytdlp/run/convert-picture.ts'
import type { TaskParts } from './task.ts'

/** Four requests a second to one host. A browser that shows a page sends more, but not for hours. */
const pictures_apart_ms = 250

/** At once over all jobs. One takes a processor for a tenth of a second, and up to 200 MB. */
const most_conversions = 2

type Needed = Pick<
  TaskParts,
  'sql' | 'files' | 'fetchPicture' | 'checkHost' | 'convertPicture' | 'findTools' | 'room' | 'host_limits' | 'log'
>

export function picturesTask(parts: Needed): Task {
  const { sql, files, fetchPicture, checkHost, convertPicture, findTools, room, host_limits, log } = parts
  const inTurn = turnsFor({ most: most_conversions })
  let logged: string | undefined
  /** Pictures wait until the reason is gone: housekeeping queues them again. Each reason is logged once. */
  const wait = (reason: string) => {
    if (logged !== reason) log.warn(`Pictures are not fetched: ${reason}`)
    logged = reason
  }
  return async (payload, { abortSignal }) => {
    const { host } = PicturesJob.parse(payload)
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
      ...{ everyone: sql, files, fetchPicture, checkHost, signal: abortSignal ?? new AbortController().signal },
      convert: (picture: PictureToConvert, signal: AbortSignal) =>
        inTurn(host, () => convertPicture(tools, picture, signal), signal),
      apart_ms: host_limits.isOurs(host) ? 0 : pictures_apart_ms,
      onFault: (err: unknown, { url }: { url: string }) => log.warn({ err, url }, 'a picture could not be stored'),
    }
    const { ended, stored } = await fetchPictures(work, host)
    log.debug({ host, ended, stored }, 'pictures were fetched')
    if (ended === 'more') await queueNextPictures(sql, host)
    if (ended === 'paused') log.info({ host }, 'a host refuses pictures and is paused for them')
  }
}
