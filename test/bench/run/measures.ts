/** What is measured in the same way of the service and of a peer that works with the same Postgres. */
import type { Databases } from './database.ts'
import type { Figure } from './figures.ts'
import { type Load, sendLoad } from './load.ts'
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
  const sent = (of: Sender, load: Partial<Load> & Requests, expected?: number) =>
    sendLoad({ url: of.url, connections: 32, ...load }, expected)

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
