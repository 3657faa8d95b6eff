/** Measures the processor time of processes, so that a run of tests can say what is dear. */
import { readdirSync, readFileSync } from 'node:fs'
import { platform } from 'node:os'

/**
 * The milliseconds of processor time that a process, and all that it has started, have used so far. Where there is no /proc, those of this
 * process alone, and 0 for another.
 */
export function processorTime(of = process.pid): number {
  if (platform() !== 'linux') {
    if (of !== process.pid) return 0
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  }
  const processes = readdirSync('/proc').flatMap(name => (/^\d+$/.test(name) ? timesOf(Number(name)) : []))
  const children = Map.groupBy(processes, ({ parent }) => parent)
  const withStarted = (pid: number): number =>
    (children.get(pid) ?? []).reduce((sum, child) => sum + child.ms + withStarted(child.pid), 0)
  return (timesOf(of)[0]?.ms ?? 0) + withStarted(of)
}

/** Includes its children that have ended. Empty when the process has ended. Linux counts in hundredths of a second. */
function timesOf(pid: number): { pid: number; parent: number; ms: number }[] {
  try {
    const [, parent, ...fields] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
      .map(Number)
    const ms = fields.slice(9, 13).reduce((sum, ticks) => sum + ticks * 10, 0)
    return [{ pid, parent: parent ?? 0, ms }]
  } catch {
    return []
  }
}
