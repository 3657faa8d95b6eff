/** One side of a comparison: a checkout with a database and processes of its own. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Role, type Running, startRole } from './checkout.ts'
import type { Database, Databases } from './database.ts'
import { type Measures, measuresOn } from './measures.ts'

export type SideName = 'before' | 'now'

export type Side = Measures & {
  name: SideName
  checkout: string
  database: Database
  /** For downloads and data. */
  folder: string
  variables: Record<string, string>
  start(role: Role, more?: Record<string, string>): Promise<Running>
}

export async function openSide(name: SideName, checkout: string, databases: Databases, parent: string): Promise<Side> {
  const database = await databases.create(checkout)
  const folder = join(parent, `${name}-${new URL(database.url).pathname.slice(1)}`)
  await mkdir(join(folder, 'data'), { recursive: true, mode: 0o755 })
  const variables = {
    ENV_FILE: '',
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

  return {
    ...measuresOn(databases),
    name,
    checkout,
    database,
    folder,
    variables,
    start: (role, more = {}) => startRole(checkout, role, { ...variables, ...more }),
  }
}
