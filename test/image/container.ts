/**
 * Runs a program in the root of the image as a container engine does: read-only, with its own processes and mounts, with the environment
 * of the image alone, no new privileges, and the named capabilities. It shares the network of this machine.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import process from 'node:process'
import { execa } from 'execa'
import type { Image } from './build.ts'

export type User = { uid: number; gid: number; capabilities?: string[] }

export type Container = {
  /** Resolves when it has printed such a line; rejects with its output when it ends before. */
  until(line: RegExp): Promise<string>
  /** Runs another program in it, as `docker exec` does. */
  run(command: string[]): Promise<{ code: number | undefined; said: string }>
  /** Ends it as `docker stop` does. Resolves to its exit code. */
  stop(): Promise<number | null>
  ended: Promise<number | null>
}

/** `volumes`: the folder of this machine, by the place where the container sees it. */
export type How = { user: User; volumes: Record<string, string>; env?: Record<string, string>; command?: string[] }

const running = new Set<ChildProcess>()

export async function startContainer({ root, config }: Image, how: How): Promise<Container> {
  const environment = [...config.Env, ...Object.entries(how.env ?? {}).map(pair => pair.join('='))]
  const inside = [...privileges(how.user), 'env', '-i', '--chdir=/app', ...environment]
  const command = how.command ?? config.Cmd
  const volumes = Object.entries(how.volumes).map(([inside, outside]) => `${outside}:${inside}`)
  const own = ['--mount', '--pid', '--fork', '--kill-child', '--', 'sh', '-ec', mounts, 'container', root]
  const child = spawn('unshare', [...own, volumes.join(' '), ...inside, ...config.Entrypoint, ...command], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  let said = ''
  const heard = (chunk: Buffer) => {
    said += chunk
  }
  child.stdout.on('data', heard)
  child.stderr.on('data', heard)
  const ended = once(child, 'close').then(([code]) => {
    running.delete(child)
    return code as number | null
  })
  const first = async () => Number((await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')).trim())

  return {
    ended,
    async until(line) {
      const found = () => line.exec(said)?.[0]
      while (found() === undefined) {
        const code = await Promise.race([ended, once(child.stdout, 'data').then(() => undefined)])
        if (code !== undefined && found() === undefined) throw new Error(`It ended with ${code}: ${said}`)
      }
      return found() ?? ''
    },
    async run(command) {
      const enter = ['--target', String(await first()), '--mount', '--pid', '--root', '--', ...inside, ...command]
      const ran = await execa('nsenter', enter, { reject: false, all: true })
      return { code: ran.exitCode, said: ran.all }
    },
    async stop() {
      process.kill(await first(), 'SIGTERM')
      return ended
    },
  }
}

/** For a run that failed. The processes of a container end with its first one. */
export function endContainers(): void {
  for (const child of running) child.kill('SIGKILL')
}

const privileges = ({ uid, gid, capabilities = [] }: User) => [
  'setpriv',
  `--reuid=${uid}`,
  `--regid=${gid}`,
  '--clear-groups',
  '--no-new-privs',
  '--inh-caps=-all',
  `--bounding-set=${['-all', ...capabilities.map(name => `+${name}`)].join(',')}`,
]

/** `$1`: the root; `$2`: the volumes; then the command. */
const mounts = `
  root=$1 volumes=$2
  shift 2
  for volume in $volumes; do mkdir -p "$root\${volume#*:}"; done
  mount --bind "$root" "$root"
  mount -o remount,bind,ro "$root"
  mount -t proc -o nosuid,nodev,noexec proc "$root/proc"
  mount -t tmpfs -o mode=1777,nosuid,nodev,noexec tmpfs "$root/tmp"
  mount -t tmpfs -o mode=755,nosuid tmpfs "$root/dev"
  mkdir -m 1777 "$root/dev/shm"
  for device in null zero full random urandom; do
    : > "$root/dev/$device"
    mount --bind "/dev/$device" "$root/dev/$device"
  done
  ln -s /proc/self/fd "$root/dev/fd"
  for file in resolv.conf hosts; do
    mount --bind "/etc/$file" "$root/etc/$file"
    mount -o remount,bind,ro "$root/etc/$file"
  done
  for volume in $volumes; do mount --bind "\${volume%%:*}" "$root\${volume#*:}"; done
  exec chroot "$root" "$@"`
