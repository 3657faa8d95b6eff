/**
 * Finds the folders for the data and the programs of the embedded Postgres. Both stay where they are if the user that runs Postgres
 * can reach them. It cannot reach folders of root; then both are moved to a folder under `/var/lib/backlot`.
 *
 * A file says where the data is, and the password of the service: the `Place`. Every process of one DATA_DIR reads it. Its owner is the
 * user of the service; the user that runs Postgres can neither read nor replace it.
 */
import { randomBytes } from 'node:crypto'
import {
  access,
  chmod,
  cp,
  lchown,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import process, { pid } from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'
import { every } from '../../runtime/every.ts'
import { writeWhole } from '../../runtime/folders.ts'
import { succeeds } from '../../runtime/within.ts'
import { type Launcher, launcher, type Owner, platformPackage, runAs } from './embedded-platform.ts'

/** The programs and the data folder of one server, and how to run them. */
export type Cluster = { data: string; as: Launcher; initdb: string; pg_ctl: string; postgres: string }

const homes_of_root = '/var/lib/backlot'

type Programs = Pick<Cluster, 'initdb' | 'pg_ctl' | 'postgres'>

/** `home`: `null` if the data is in `folder` itself. */
export const dataIn = (folder: string, home: string | null): string =>
  home === null ? resolve(folder) : join(home, 'postgres')

/** The server of a database that has been set up. */
export async function clusterAt(folder: string, home: string | null): Promise<Cluster> {
  const data = dataIn(folder, home)
  const as = await launcher(await ownerOf(data))
  return { data, as, ...(await programsFor(as, home ?? dirname(data))) }
}

/** Finds a home that the user that runs Postgres can reach, and moves existing data there. Safe to repeat after a crash. */
export async function makePlace(folder: string, place: Place): Promise<{ cluster: Cluster; place: Place }> {
  const before = dataIn(folder, place.home)
  const as = await launcher((await ownerOf(before)) ?? (await ownerOf(resolve(folder))))
  const home = await reachableHome(folder, place.home, as)
  const data = dataIn(folder, home)
  const found = [before, resolve(folder)].find(other => other !== data)
  const planned = { ...place, home, ready: false }
  for (const data_folder of [found, data]) if (data_folder) await requireStopped(folder, data_folder)
  if (found && (await exists(join(found, 'PG_VERSION'))) && !(await exists(data))) {
    await requireSameDisk(found, dirname(data))
    // Before the move, so that a start after a crash finds the data.
    await writePlace(folder, planned)
    await rename(found, data)
  } else await writePlace(folder, planned)
  return { cluster: { data, as, ...(await programsFor(as, dirname(data))) }, place: planned }
}

/** The present home, if it is reachable; otherwise the folder of the place that is known; otherwise a new one under `/var/lib`. */
async function reachableHome(folder: string, home: string | null, as: Launcher): Promise<string | null> {
  if (home !== null && (await canReach(as, home))) return home
  const here = dirname(resolve(folder))
  if (await canReach(as, here)) return null
  if (await letPass(as, here)) return null
  const new_home = join(homes_of_root, randomBytes(6).toString('hex'))
  try {
    await mkdir(new_home, { recursive: true })
    for (const made of [homes_of_root, new_home]) await chmod(made, 0o755)
    if (await canReach(as, new_home)) return new_home
  } catch (cause) {
    throw unreachable(here, cause)
  }
  throw unreachable(here)
}

const unreachable = (here: string, cause?: unknown) =>
  new Error(
    `Postgres cannot run as root, and the user it runs as can reach neither ${here} nor ${homes_of_root}. Start as an ordinary user, set DATA_DIR to a folder that every user may enter, or set DATABASE_URL.`,
    { cause },
  )

/** Tested as that user, because permissions, mounts and access lists all count. */
const canReach = async (as: Launcher, folder: string): Promise<boolean> =>
  as.owner === undefined || (await runAs(as, 'test', ['-x', folder])).exitCode === 0

/** Lets every user pass through our folder, but not list it. Its content has its own permissions. */
async function letPass(as: Launcher, folder: string): Promise<boolean> {
  const { mode, uid } = await stat(folder)
  if (uid !== 0) return false
  await chmod(folder, (mode & 0o777) | 0o001)
  if (await canReach(as, folder)) return true
  await chmod(folder, mode & 0o777)
  return false
}

/** The data of a running server is neither moved nor changed. A server left over from an earlier process is stopped. */
async function requireStopped(folder: string, data: string): Promise<void> {
  const first_line = (await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')[0]
  const server = Number(first_line)
  if (!(server > 1) || !(await isServerOf(server, data))) return
  if ((await usersOf(folder)).length > 0) throw stillUsed(data)
  // A "fast" shutdown. Source: PostgreSQL, "Shutting Down the Server".
  process.kill(server, 'SIGINT')
  for (let waited_ms = 0; waited_ms < 30_000; waited_ms += 100) {
    if (!isAlive(server)) return
    await setTimeout(100)
  }
  throw stillUsed(data)
}

const stillUsed = (data: string) =>
  new Error(`Another process still uses the database in ${data}. Stop it, then start again.`)

/** The process id may belong to another program by now. */
export const isServerOf = async (pid: number, data: string): Promise<boolean> =>
  (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0').includes(data)

/** Only a rename moves all or nothing. Another disk may also belong to a container, and be deleted with it. */
async function requireSameDisk(data: string, home: string): Promise<void> {
  const [here, there] = await Promise.all([stat(data), stat(home)])
  if (here.dev === there.dev) return
  throw new Error(
    `The user that runs Postgres cannot reach the database in ${data}. Let every user enter the folders above it (chmod o+x), or start as an ordinary user.`,
  )
}

/** The programs of the package, or a copy of them that the user that runs Postgres can execute. */
async function programsFor(as: Launcher, home: string): Promise<Programs> {
  const own = (await import(platformPackage())) as Programs
  if (as.owner === undefined || (await runAs(as, own.postgres, ['--version'])).exitCode === 0) return own
  const native = dirname(dirname(own.postgres))
  const { version } = JSON.parse(await readFile(join(dirname(native), 'package.json'), 'utf8')) as { version: string }
  const copy = join(home, `postgres-${version}`)
  if (!(await exists(copy))) await copyFor(native, copy)
  const inCopy = (program: string) => join(copy, 'bin', program)
  return { initdb: inCopy('initdb'), pg_ctl: inCopy('pg_ctl'), postgres: inCopy('postgres') }
}

/** Makes a copy that every user can read, and only we can write. */
async function copyFor(native: string, copy: string): Promise<void> {
  const aside = `${copy}.${process.pid}`
  // Left over from a process that was killed, or a link.
  await rm(aside, { recursive: true, force: true })
  await mkdir(aside)
  await cp(native, aside, { recursive: true, verbatimSymlinks: true })
  for (const entry of await readdir(aside, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.isSymbolicLink()) await chmod(path, ((await stat(path)).mode & 0o111) === 0 ? 0o644 : 0o755)
  }
  await chmod(aside, 0o755)
  // Another process may have finished first.
  await rename(aside, copy).catch(() => rm(aside, { recursive: true, force: true }))
}

/** `undefined`: there is no such folder. */
const ownerOf = (folder: string): Promise<Owner | undefined> =>
  stat(folder).then(
    ({ uid, gid }) => ({ uid, gid }),
    () => undefined,
  )

/** Follows no link: where that user owns the folder above, it could give away any file of this machine. */
export async function giveTo({ owner }: Launcher, path: string): Promise<void> {
  if (owner) await lchown(path, owner.uid, owner.gid)
}

export const exists = (path: string): Promise<boolean> => succeeds(access(path))

const Place = z.object({
  /** The folder that holds the data folder; null: the one that holds the file of this place. */
  home: z.string().nullable(),
  /** The password of the role `backlot`. */
  password: z.string(),
  /** False: the setup was interrupted and has to be repeated. */
  ready: z.boolean(),
})
export type Place = z.infer<typeof Place>

/** Throws, with a sentence for people, if the file of the place belongs to another user. */
export async function readPlace(folder: string): Promise<Place | undefined> {
  const file = `${folder}.json`
  try {
    return Place.parse(JSON.parse(await readFile(file, 'utf8')))
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

export const writePlace = (folder: string, place: Place): Promise<void> =>
  writeWhole(`${folder}.json`, `${JSON.stringify(place, null, 2)}\n`)

/** Its holder touches the lock more often. An older one is left over from a process that was killed. */
const stale_ms = 60_000
/** The locks of this process. Another lock with its id is of a process before it: in a container they have the same. */
const held = new Set<string>()

/** Lets one call at a time, of all processes, set up or start a database; the others wait. */
export async function inTurn<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const file = `${folder}.lock`
  while (!(await take(file))) await setTimeout(50)
  const touching = every(stale_ms / 6, () => utimes(file, new Date(), new Date()).catch(() => {}))
  try {
    return await work()
  } finally {
    clearInterval(touching)
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
  if (made && (!is_held || Math.abs(Date.now() - made.mtimeMs) > stale_ms)) await rm(file, { force: true })
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

/**
 * Records that this process starts or stops using the server of `folder`. Returns whether other processes use it: the last one stops it.
 * The file is called `owner`, because earlier releases read it.
 * `others`: those that may use it; absent: those that were recorded before. Call it in turn.
 */
export async function recordUse(
  folder: string,
  { begins, others }: { begins: boolean; others?: number[] | undefined },
): Promise<boolean> {
  const using = others ?? (await usersOf(folder))
  // The folder may be gone by the time that the service stops.
  await writeWhole(`${folder}.owner`, [...using, ...(begins ? [pid] : [])].join('\n')).catch(fault => {
    if (begins) throw fault
  })
  return using.length > 0
}

/** The ids of other running processes that use the server of `folder`. */
export async function usersOf(folder: string): Promise<number[]> {
  const known = await readFile(`${folder}.owner`, 'utf8').catch(() => '')
  return known
    .split('\n')
    .map(Number)
    .filter(user => user > 0 && user !== pid && isAlive(user))
}
