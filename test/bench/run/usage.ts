/** Reads what a process has used so far from /proc: processor time and memory. Linux only. */
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

/** Seconds of processor time of a process and all its children, those that have ended included. */
export async function cpuOfTree(pid: number): Promise<number> {
  const names = (await readdir('/proc')).filter(name => /^\d+$/.test(name))
  const all = await Promise.all(names.map(name => ticksOf(Number(name)).catch(() => undefined)))
  const children = all.filter(found => found?.parent === pid)
  const { own, ended } = await ticksOf(pid)
  return children.reduce((sum, child) => sum + (child?.own ?? 0), own + ended) / ticks
}

/** Seconds of processor time of the children of this process that have ended. */
export const cpuOfEndedChildren = async (): Promise<number> => (await ticksOf(process.pid)).ended / ticks

export const parentOf = async (pid: number): Promise<number> => (await ticksOf(pid)).parent

/** `ended`: of its children that have ended. Source: proc_pid_stat(5). */
async function ticksOf(pid: number): Promise<{ parent: number; own: number; ended: number }> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  // The name of the program is in brackets and may contain spaces. The field after it is the third.
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const [utime = 0, stime = 0, ended_utime = 0, ended_stime = 0] = fields.slice(11, 15)
  return { parent: fields[1] ?? 0, own: utime + stime, ended: ended_utime + ended_stime }
}
