/**
 * The room on the disk of the database. A reserve beside the embedded one is given up when the disk is nearly full, so that people can
 * still delete, and made again when there is room. For a server of your own, only its errors show that its disk is full.
 */
import { randomBytes } from 'node:crypto'
import { rename, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { every } from '../../runtime/every.ts'
import { joined } from '../../runtime/within.ts'

export type DatabaseRoom = { free_bytes: number; size_bytes: number }

const reserve_bytes = 32e6
/** Free bytes below which the reserve is given up: one file of the WAL (16 MiB) and a margin. */
const low_bytes = 24e6
const look_ms = 1000
/** Milliseconds for which the database counts as full after it refused a change. A worker changes its row more often. */
const full_counts_ms = 20_000

let place: string | undefined
let full_at_ms = Number.NEGATIVE_INFINITY

/** Remembers that the database refused a change because its disk is full. `at_ms`: by `performance.now()`. */
export function recordFull(at_ms = performance.now()): void {
  full_at_ms = at_ms
}

/** Whether the database refused a change a moment ago. */
export const isDatabaseFull = (): boolean => performance.now() - full_at_ms < full_counts_ms

/** The disk of the embedded database; `undefined`: there is none here, or its disk cannot be asked. */
export const databaseRoom = async (): Promise<DatabaseRoom | undefined> =>
  place === undefined ? undefined : roomIn(place)

async function roomIn(folder: string): Promise<DatabaseRoom | undefined> {
  const found = await statfs(folder).catch(() => undefined)
  return found && { free_bytes: found.bavail * found.bsize, size_bytes: found.blocks * found.bsize }
}

/** What the administrator should do; `undefined`: there is room. */
export async function databaseTrouble(): Promise<string | undefined> {
  if (isDatabaseFull())
    return 'The disk of the database is full, so nothing can be saved. Add space to it; if the videos are on it too, delete some.'
  const room = await databaseRoom()
  if (!room || room.free_bytes >= reserve_bytes + low_bytes) return undefined
  return 'The disk of the database is almost full. Add space to it; if the videos are on it too, delete some.'
}

/**
 * Gives up the reserve in `folder` if the disk is nearly full, and returns the room before. Call it before the server starts: on a full
 * disk the server does not.
 */
export async function giveUpIfFull(folder: string): Promise<DatabaseRoom | undefined> {
  const room = await roomIn(folder)
  if (room && room.free_bytes < low_bytes) await rm(reserveIn(folder), { force: true })
  return room
}

/** Keeps a reserve in `folder`, beside the embedded database. Returns a function that ends this. */
export function keepReserve(folder: string): () => Promise<void> {
  place = folder
  let looking: Promise<void> | undefined
  const look = joined(async () => {
    const room = await giveUpIfFull(folder)
    const is_made = await stat(reserveIn(folder)).catch(() => undefined)
    if (!is_made && room && room.free_bytes > 2 * reserve_bytes) await makeReserve(folder)
  })
  const timer = every(look_ms, () => {
    looking = look().catch(() => {})
  }).unref()
  return async () => {
    clearInterval(timer)
    await looking
  }
}

const reserveIn = (folder: string) => join(folder, 'reserve')

/** What a process that was killed has left of it is written again. */
async function makeReserve(folder: string): Promise<void> {
  const part = `${reserveIn(folder)}.part`
  try {
    await writeFile(part, incompressible(), { mode: 0o600 })
    await rename(part, reserveIn(folder))
  } finally {
    await rm(part, { force: true })
  }
}

/** Some file systems keep zeros without using space. */
function* incompressible(): Generator<Buffer> {
  for (let left = reserve_bytes; left > 0; left -= 1e6) yield randomBytes(1e6)
}
