/** Checks MEDIA_DIR at the start of a worker. */
import { realpath } from 'node:fs/promises'
import { sep } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { requireFolder } from '../runtime/folders.ts'

type Folders = Pick<Config, 'MEDIA_DIR' | 'DOWNLOADS_DIR'>

/** MEDIA_DIR is on a network share that does not answer. The read of it never ends, and Node waits for it in `process.exit()`. */
export class NoAnswer extends Error {}

/** A disk that must start to turn, and a share that is mounted on its first use, answer within this time. */
const limit_ms = 20_000

/** Throws a sentence when links in MEDIA_DIR to the files in DOWNLOADS_DIR are impossible. `true`: the folder lost permissions. */
export async function requireMedia(
  { MEDIA_DIR, DOWNLOADS_DIR }: Folders,
  { within_ms = limit_ms, check = requireBoth } = {},
): Promise<boolean> {
  if (MEDIA_DIR === undefined) return false
  if (DOWNLOADS_DIR.startsWith('s3://'))
    throw new Error('MEDIA_DIR has links to files on this machine, so it cannot be used with a DOWNLOADS_DIR on s3://.')
  const answered = new AbortController()
  const limit = setTimeout(within_ms, undefined, { signal: answered.signal }).then(() => {
    throw new NoAnswer(
      `MEDIA_DIR did not answer within ${within_ms / 1000} seconds. Check that the disk or the network share of ${MEDIA_DIR} is there.`,
    )
  })
  return Promise.race([check(MEDIA_DIR, DOWNLOADS_DIR), limit]).finally(() => answered.abort())
}

async function requireBoth(media_dir: string, downloads_dir: string): Promise<boolean> {
  const lost = await requireFolder('MEDIA_DIR', media_dir)
  const [media, downloads] = await Promise.all([realpath(media_dir), realpath(downloads_dir)])
  if (isWithin(media, downloads) || isWithin(downloads, media))
    throw new Error('MEDIA_DIR and DOWNLOADS_DIR should be two folders of which neither is inside the other.')
  return lost
}

const isWithin = (path: string, folder: string) => path === folder || path.startsWith(folder.replace(/\/$/, '') + sep)
