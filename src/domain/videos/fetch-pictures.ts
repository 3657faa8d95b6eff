/**
 * Fetches the pictures that are due at one host, converts and stores them, for half a minute. Two lanes share a pace, so the host gets
 * a few requests a second at most. This decides what to do after each answer; the web and ffmpeg are given.
 */
import { setTimeout } from 'node:timers/promises'
import type { Everyone } from '../../db/everyone.ts'
import { isAway } from '../../db/postgres/client.ts'
import {
  type DuePicture,
  forgetPictureRefusals,
  pausePictures,
  postponePictures,
  recordStored,
  takePictures,
} from '../../db/videos/everyone/due-pictures.ts'
import type { HostChecker } from '../../feed/fetch/fetch.ts'
import type { PictureAnswer, PictureFetcher } from '../../feed/fetch/fetch-picture.ts'
import { pictureSources } from '../../feed/platforms/youtube.ts'
import { joined } from '../../runtime/within.ts'
import { picture_sizes } from '../../schema/values/picture.ts'
import type { Files } from '../../store/files.ts'
import { picturePath } from '../../store/paths.ts'
import type { ConvertedPicture, PictureToConvert } from '../../ytdlp/convert/convert-picture.ts'

export type PictureParts = {
  everyone: Everyone
  files: Pick<Files, 'write' | 'remove'>
  fetchPicture: PictureFetcher
  checkHost: HostChecker
  convert(picture: PictureToConvert, signal: AbortSignal): Promise<ConvertedPicture | 'unfit' | 'stopped'>
  /** Milliseconds between the starts of two requests. */
  apart_ms: number
  signal: AbortSignal
  onFault(fault: unknown, picture: DuePicture): void
}

/**
 * `done`: nothing is due at the host. `more`: the time is over. `failed`: the host wants fewer requests for pictures, though it is well
 * itself; or the operator's proxy is at fault. In these cases the job of the next minute continues.
 */
export type PicturesEnd = { ended: 'done' | 'more' | 'failed' | 'paused' | 'stopped'; stored: number }

/** Requests at once to one host. */
const requests_at_once = 2
const max_run_ms = 30_000
const batch = 10

/** Minutes after a first, second, … failure. After the last one a picture is given up. */
export const retry_minutes = [5, 30, 180, 1440, 4320]
/** After this many failures in a row, over different pictures, we look at the host itself. */
const max_failures_in_a_row = 6

export async function fetchPictures(parts: PictureParts, host: string): Promise<PicturesEnd> {
  const { everyone, signal } = parts
  const until = performance.now() + max_run_ms
  const state: RunState = { waiting: [], stored: 0, failures: 0, next_at: 0 }
  const next = takerOf(parts, host, state)
  const lane = async () => {
    while (!state.end) {
      if (signal.aborted) state.end = 'stopped'
      else if (performance.now() > until) state.end = 'more'
      else {
        const picture = await next()
        if (picture) await fetchOne(parts, host, picture, state)
        else state.end ??= 'done'
      }
    }
  }
  // A lane that fails waits for the other one, which may have taken a picture.
  const ends = await Promise.allSettled(Array.from({ length: requests_at_once }, lane))
  const not_begun = state.waiting.map(({ picture_id }) => ({ picture_id, after_s: 0, failed: false }))
  await postponePictures(everyone, not_begun)
  for (const end of ends) if (end.status === 'rejected') throw end.reason
  if (state.end === 'more' && state.stored === 0 && state.failures > 0) await lookOnce(parts, host, state)
  if (state.stored > 0 && state.end !== 'paused') await forgetPictureRefusals(everyone, host)
  return { ended: state.end ?? 'done', stored: state.stored }
}

type RunState = {
  /** Pictures that were taken and not begun. */
  waiting: DuePicture[]
  stored: number
  /** Failures of the host in a row. */
  failures: number
  /** When the next request may start. */
  next_at: number
  end?: PicturesEnd['ended']
  looking?: Promise<void>
}

/** Both lanes take from one batch, and only one of them asks the database. */
function takerOf({ everyone }: PictureParts, host: string, state: RunState): () => Promise<DuePicture | undefined> {
  const take = joined(async () => state.waiting.push(...(await takePictures(everyone, host, batch))))
  return async () => {
    if (state.waiting.length === 0) await take()
    return state.end ? undefined : state.waiting.shift()
  }
}

async function fetchOne(parts: PictureParts, host: string, picture: DuePicture, state: RunState): Promise<void> {
  const { everyone, signal, onFault } = parts
  const { picture_id } = picture
  const again = (after_s: number | null, failed: boolean) =>
    postponePictures(everyone, [{ picture_id, after_s, failed }])
  try {
    const result = await resultOf(parts, picture, state)
    if (result.found === 'refused') {
      await lookOnce(parts, host, state)
      state.end ??= 'failed'
      return state.end === 'paused' ? await again(0, false) : await again(retryAfter(picture.failures), true)
    }
    if (result.found === 'not_asked') {
      state.end ??= 'failed'
      return await again(our_retry_s, false)
    }
    if (result.found === 'unfit') return await again(null, true)
    if (result.found === 'stored') {
      state.failures = 0
      state.stored += 1
      return
    }
    await again(retryAfter(picture.failures), true)
    if (!result.is_hosts) return
    state.failures += 1
    if (state.failures >= max_failures_in_a_row) await lookOnce(parts, host, state)
  } catch (fault) {
    if (signal.aborted) return again(0, false)
    if (isAway(fault)) throw fault
    // A full disk, for example. The other pictures are tried as well.
    onFault(fault, picture)
    await again(retryAfter(picture.failures), true)
  }
}

/**
 * Only what we see at the root of the host itself pauses its pictures, and ends the run. If the root is well, the run goes on: a feed can
 * name any number of bad addresses, which must not delay the pictures of others.
 */
function lookOnce(parts: PictureParts, host: string, state: RunState): Promise<void> {
  state.looking ??= lookAtRoot(parts, host, state)
  return state.looking
}

async function lookAtRoot({ everyone, checkHost, signal }: PictureParts, host: string, state: RunState): Promise<void> {
  const refusal = await checkHost(host, signal, 'or_trouble')
  if (!refusal) return
  state.end = 'paused'
  await pausePictures(everyone, host, refusal)
}

/** Seconds until a picture is tried again that could not be asked for. */
const our_retry_s = 300

const retryAfter = (failures: number): number | null => {
  const minutes = retry_minutes[failures]
  return minutes === undefined ? null : minutes * 60
}

type PictureResult = { found: 'stored' } | Exclude<PictureAnswer, { found: 'picture' }>

/** Tries the addresses of a picture in turn, until one gives a picture. */
async function resultOf(
  parts: PictureParts,
  { picture_id, kind, url }: DuePicture,
  state: RunState,
): Promise<PictureResult> {
  const { fetchPicture, convert, signal } = parts
  let result: PictureResult = { found: 'unfit' }
  for (const { url: source, is_letterboxed } of pictureSources(url)) {
    await turnIn(parts, state)
    const answer = await fetchPicture(source, signal)
    if (answer.found === 'refused' || answer.found === 'not_asked') return answer
    if (answer.found === 'picture') {
      const { bytes, format } = answer
      const made = await convert({ kind, bytes, format, is_letterboxed }, signal)
      if (made === 'stopped') return { found: 'failed', is_hosts: false }
      if (made !== 'unfit') return (await keep(parts, picture_id, made)) ? { found: 'stored' } : { found: 'unfit' }
    } else result = answer
  }
  return result
}

/** Waits until the pace allows the next request. */
async function turnIn({ apart_ms, signal }: PictureParts, state: RunState): Promise<void> {
  const at = Math.max(performance.now(), state.next_at)
  state.next_at = at + apart_ms
  const wait_ms = at - performance.now()
  if (wait_ms > 0) await setTimeout(wait_ms, undefined, { signal })
}

/** Writes the files first, so that a row never says that missing files are stored. */
async function keep({ everyone, files }: PictureParts, picture_id: string, made: ConvertedPicture): Promise<boolean> {
  for (const size of picture_sizes) await files.write(picturePath(picture_id, size), made[size])
  if (await recordStored(everyone, picture_id)) return true
  for (const size of picture_sizes) await files.remove(picturePath(picture_id, size))
  return false
}
