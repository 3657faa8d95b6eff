/** Sends requests over many connections from a process of its own, so that the load does not share the event loop of what it measures. */
import { forked } from './fork.ts'
import type { Load, LoadResult } from './load-process.ts'

export type { Get, Load, LoadResult } from './load-process.ts'

/** Rejects unless every answer has the status `expected`. */
export async function sendLoad(load: Load, expected = 200): Promise<LoadResult> {
  const program = new URL('load-process.ts', import.meta.url)
  const { message: result } = await forked<LoadResult>(program, [], load)
  const wrong = Object.keys(result.statuses).filter(status => Number(status) !== expected)
  if (wrong.length > 0)
    throw new Error(
      `${load.url}${load.requests[0]?.path} answered ${JSON.stringify(result.statuses)}: ${result.sample}`,
    )
  return result
}
