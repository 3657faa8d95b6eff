/** The processes that a row has started. They are ended after the row, whether it succeeded or not. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

const children = new Set<ChildProcess>()
const longest_stop_ms = 15_000

export function endAfterRow(child: ChildProcess): ChildProcess {
  children.add(child)
  child.once('exit', () => children.delete(child))
  return child
}

export const endChildren = () => Promise.all([...children].map(endChild))

/** Kills it if it does not end in time. */
export async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), longest_stop_ms)
  await ended
  clearTimeout(timer)
}
