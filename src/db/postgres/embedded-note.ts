/**
 * The note next to the embedded Postgres: where its data is, and the password of the service. Every process of one DATA_DIR reads
 * it. Its owner is the user of the service; the user that runs Postgres can neither read nor replace it.
 */
import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import process, { pid } from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'
import { writeWhole } from '../../runtime/folders.ts'

const Note = z.object({
  /** The folder that holds the data folder; null: the one that holds this note. */
  home: z.string().nullable(),
  /** The password of the role `backlot`. */
  password: z.string(),
  /** False: the setup was interrupted and has to be repeated. */
  ready: z.boolean(),
})
export type Note = z.infer<typeof Note>

/** Throws, with a sentence for people, if the note belongs to another user. */
export async function readNote(folder: string): Promise<Note | undefined> {
  const file = `${folder}.json`
  try {
    return Note.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    if (code === 'EACCES' || code === 'EPERM')
      throw new Error(`The database here belongs to another user: ${file} cannot be read. Start as that user.`, {
        cause,
      })
    throw new Error(`${file} cannot be read. Take it from a backup, or set DATABASE_URL.`, { cause })
  }
}

export const writeNote = (folder: string, note: Note): Promise<void> =>
  writeWhole(`${folder}.json`, `${JSON.stringify(note, null, 2)}\n`)

/** A setup or a start takes seconds. An older lock is left over from a process that was killed. */
const stale_ms = 60_000
/** The locks of this process. Another lock with its id is of a process before it: in a container they have the same. */
const held = new Set<string>()

/** Lets one call at a time, of all processes, set up or start a database; the others wait. */
export async function inTurn<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const file = `${folder}.lock`
  while (!(await take(file))) await setTimeout(50)
  try {
    return await work()
  } finally {
    await rm(file, { force: true }).finally(() => held.delete(file))
  }
}

async function take(file: string): Promise<boolean> {
  if (held.has(file)) return false
  held.add(file)
  try {
    await writeFile(file, String(pid), { flag: 'wx', mode: 0o600 })
    return true
  } catch (fault) {
    held.delete(file)
    if ((fault as NodeJS.ErrnoException).code !== 'EEXIST') throw fault
  }
  const [holder, made] = await Promise.all([readFile(file, 'utf8').catch(() => ''), stat(file).catch(() => undefined)])
  const is_held = holder === '' || held.has(file) || (Number(holder) !== pid && isAlive(Number(holder)))
  if (made && (!is_held || Date.now() - made.mtimeMs > stale_ms)) await rm(file, { force: true })
  return false
}

/** Whether a process with this id is running, as any user. */
export function isAlive(number: number): boolean {
  try {
    return process.kill(number, 0)
  } catch (fault) {
    return (fault as NodeJS.ErrnoException).code === 'EPERM'
  }
}
