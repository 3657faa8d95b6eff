/** Lists the processes of this machine, for tests of the processes that the service starts or leaves behind. */
import { readdir, readFile, readlink } from 'node:fs/promises'
import { platform } from 'node:os'
import { execa } from 'execa'

type RunningProcess = {
  pid: number
  parent: number
  /** The command line, words separated by spaces. A forked yt-dlp has that of its parent, so its folder is added. */
  args: string
}

/** Processes whose command line contains all of these words. Zombies are left out, because their command line is empty. */
export async function processesWith(...words: string[]): Promise<RunningProcess[]> {
  const all = platform() === 'linux' ? await fromProc() : await fromPs()
  return all.filter(({ args }) => args !== '' && words.every(word => args.includes(word)))
}

/** `pid`: as a process prints it. */
export const isAlive = async (pid: string): Promise<boolean> =>
  (await processesWith()).some(found => found.pid === Number(pid))

/** What /proc says of those that still run: a process may end after it was listed. */
export async function readOfProcesses(pids: number[], file: 'status' | 'environ' | 'cmdline'): Promise<string[]> {
  const texts = await Promise.all(pids.map(pid => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')))
  return texts.filter(text => text !== '')
}

/** Reads /proc, because a bare Debian has no `ps`. */
async function fromProc(): Promise<RunningProcess[]> {
  const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name))
  const found = await Promise.all(
    pids.map(async pid => {
      // A process may end between the two reads.
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
      const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
      const is_fork = stat.includes('(yt-dlp)') && line.includes('warm-server.py')
      const folder = is_fork ? await readlink(`/proc/${pid}/cwd`).catch(() => '') : ''
      const args = `${words(line)} ${folder}`.trim()
      return { pid: Number(pid), parent: Number(/.*\) \S (\d+)/s.exec(stat)?.[1]), args }
    }),
  )
  return found.toSorted((a, b) => a.pid - b.pid)
}

const words = (line: string) => line.replaceAll('\0', ' ').trim()

async function fromPs(): Promise<RunningProcess[]> {
  const { stdout } = await execa('ps', ['-axo', 'pid=,ppid=,stat=,args='])
  return stdout.split('\n').map(line => {
    const [, pid, parent, state = '', args = ''] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? []
    return { pid: Number(pid), parent: Number(parent), args: /^Z/.test(state) || /^ps -axo/.test(args) ? '' : args }
  })
}
