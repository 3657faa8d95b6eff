/** One side of a comparison: a checkout with a database and processes of its own. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Role, type Running, startRole } from './checkout.ts'
import type { Database, Databases } from './database.ts'
import type { Figure } from './figures.ts'
import { type Load, sendLoad } from './load.ts'

export type SideName = 'before' | 'now'

export type Side = {
  name: SideName
  checkout: string
  database: Database
  /** For downloads and data. */
  folder: string
  variables: Record<string, string>
  start(role: Role, more?: Record<string, string>): Promise<Running>
  /** Measures the processor time of a process and of the database while `work` does `operations`. */
  measured(running: Running, operations: number, work: () => Promise<Figure>): Promise<Figure>
  /** Milliseconds of one request, while no other is sent. */
  oneByOne(running: Running, load: Pick<Load, 'amount' | 'requests'>): Promise<Figure>
  /** Requests a second, at 32 connections unless said. */
  loaded(running: Running, load: Partial<Load> & Pick<Load, 'amount' | 'requests'>, expected?: number): Promise<Figure>
}

export async function openSide(name: SideName, checkout: string, databases: Databases, parent: string): Promise<Side> {
  const database = await databases.create(checkout)
  const folder = join(parent, `${name}-${new URL(database.url).pathname.slice(1)}`)
  await mkdir(join(folder, 'data'), { recursive: true, mode: 0o755 })
  const variables = {
    DATABASE_URL: database.url,
    DATA_DIR: join(folder, 'data'),
    DOWNLOADS_DIR: join(folder, 'downloads'),
    PORT: '0',
    ALLOWED_ADDRESSES: '127.0.0.0/8',
    TRUSTED_PROXIES: 'loopback',
    INSTALL_TOOLS: 'off',
    MIN_FREE_MB: '0',
    LOG_LEVEL: 'warn',
  }

  const measured: Side['measured'] = async (running, operations, work) => {
    const before = { app: await running.usage(), database_s: await databases.cpu_s() }
    const figure = await work()
    const after = { app: await running.usage(), database_s: await databases.cpu_s() }
    return {
      ...figure,
      app_ms: ((after.app.cpu_s - before.app.cpu_s) * 1000) / operations,
      database_ms: ((after.database_s - before.database_s) * 1000) / operations,
    }
  }

  return {
    name,
    checkout,
    database,
    folder,
    variables,
    start: (role, more = {}) => startRole(checkout, role, { ...variables, ...more }),
    measured,
    oneByOne: (running, load) =>
      measured(running, load.amount, async () => {
        const sent = await sendLoad({ url: running.url, connections: 1, ...load })
        return { value: sent.p50_ms }
      }),
    loaded: (running, load, expected) =>
      measured(running, load.amount, async () => {
        const sent = await sendLoad({ url: running.url, connections: 32, ...load }, expected)
        return { value: sent.per_s, p99_ms: sent.p99_ms }
      }),
  }
}
