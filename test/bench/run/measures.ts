/**
 * What is measured in the same way of the service and of a peer that works with the same Postgres. Requests are sent from a process of
 * its own, so that the load does not share the event loop of what it measures.
 */
import type { Databases } from './database.ts'
import type { Figure } from './figures.ts'
import { forked } from './fork.ts'
import type { Load, LoadResult } from './load-process.ts'
import type { Usage } from './usage.ts'

type Sender = { url: string; usage(): Promise<Usage> }
type Requests = Pick<Load, 'amount' | 'requests'>

export type Measures = {
  /** Measures the processor time of a process and of the database while `work` does `operations`. */
  measured(of: Pick<Sender, 'usage'>, operations: number, work: () => Promise<Figure>): Promise<Figure>
  /** Milliseconds of one request, while no other is sent. */
  oneByOne(of: Sender, load: Requests): Promise<Figure>
  /** Requests a second, at 32 connections unless said. */
  loaded(of: Sender, load: Partial<Load> & Requests, expected?: number): Promise<Figure>
  /** Milliseconds of one request of 32 at once. */
  crowded(of: Sender, load: Requests): Promise<Figure>
}

export function measuresOn(databases: Databases): Measures {
  const measured: Measures['measured'] = async ({ usage }, operations, work) => {
    const before = { app: await usage(), database_s: await databases.cpu_s() }
    const figure = await work()
    const after = { app: await usage(), database_s: await databases.cpu_s() }
    return {
      ...figure,
      app_ms: ((after.app.cpu_s - before.app.cpu_s) * 1000) / operations,
      database_ms: ((after.database_s - before.database_s) * 1000) / operations,
    }
  }
  return {
    measured,
    oneByOne: (of, load) =>
      measured(of, load.amount, async () => ({ value: (await sent(of, { connections: 1, ...load })).p50_ms })),
    loaded: (of, load, expected) =>
      measured(of, load.amount, async () => {
        const { per_s, p99_ms } = await sent(of, load, expected)
        return { value: per_s, p99_ms }
      }),
    crowded: (of, load) =>
      measured(of, load.amount, async () => {
        const { p50_ms, p99_ms } = await sent(of, load)
        return { value: p50_ms, p99_ms }
      }),
  }
}

/** Rejects unless every answer has the status `expected`. */
async function sent({ url }: Sender, load: Partial<Load> & Requests, expected = 200): Promise<LoadResult> {
  const program = new URL('load-process.ts', import.meta.url)
  const { message: result } = await forked<LoadResult>(program, [], { url, connections: 32, ...load })
  const wrong = Object.keys(result.statuses).filter(status => Number(status) !== expected)
  if (wrong.length > 0)
    throw new Error(`${url}${load.requests[0]?.path} answered ${JSON.stringify(result.statuses)}: ${result.sample}`)
  return result
}
