/** Reads what processes have used so far from /proc: processor time and memory. Linux only. */
import { readdir, readFile } from 'node:fs/promises'
import process from 'node:process'

export type Usage = {
  /** Seconds of processor time, user and system, of all its threads. */
  cpu_s: number
  /** Resident memory. */
  mb: number
}

/** Clock ticks of /proc a second; Linux has 100 on every platform that Node runs on. */
const ticks = 100

export async function usageOf(pid: number): Promise<Usage> {
  const { own } = await ticksOf(pid)
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return { cpu_s: own / ticks, mb: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024 }
}

/** What several processes have used together. */
export const together = (...processes: { usage(): Promise<Usage> }[]) => ({
  async usage(): Promise<Usage> {
    const used = await Promise.all(processes.map(one => one.usage()))
    return { cpu_s: used.reduce((sum, { cpu_s }) => sum + cpu_s, 0), mb: used.reduce((sum, { mb }) => sum + mb, 0) }
  },
})

/** Seconds of processor time of these processes and all that they have started, those that have ended included. */
export async function cpuOfTrees(roots: number[]): Promise<number> {
  const found = await Promise.all((await treesOf(roots)).map(pid => ticksOf(pid).catch(() => none)))
  return found.reduce((sum, { own, ended }) => sum + own + ended, 0) / ticks
}

/** Megabytes of memory of these processes and all that they have started. Memory that several share counts once (Pss). */
export async function memoryOfTrees(roots: number[]): Promise<number> {
  // A process may end at this moment.
  const read = (pid: number) => readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
  const found = await Promise.all((await treesOf(roots)).map(read))
  return found.reduce((sum, text) => sum + Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0), 0) / 1024
}

/** Seconds of processor time of the children of this process that have ended. */
export const cpuOfEndedChildren = async (): Promise<number> => (await ticksOf(process.pid)).ended / ticks

export const parentOf = async (pid: number): Promise<number> => (await ticksOf(pid)).parent

/** These processes, and all that they have started and that live. */
async function treesOf(roots: number[]): Promise<number[]> {
  const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name)).map(Number)
  const parents = new Map(
    await Promise.all(pids.map(async pid => [pid, (await ticksOf(pid).catch(() => none)).parent] as const)),
  )
  const isBelow = (pid: number): boolean => roots.includes(pid) || (pid > 1 && isBelow(parents.get(pid) ?? 0))
  return pids.filter(isBelow)
}

type Ticks = { parent: number; own: number; ended: number }
const none: Ticks = { parent: 0, own: 0, ended: 0 }

/** `ended`: of its children that have ended. Source: proc_pid_stat(5). */
async function ticksOf(pid: number): Promise<Ticks> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  // The name of the program is in brackets and may contain spaces. The field after it is the third.
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const [utime = 0, stime = 0, ended_utime = 0, ended_stime = 0] = fields.slice(11, 15)
  return { parent: fields[1] ?? 0, own: utime + stime, ended: ended_utime + ended_stime }
}
