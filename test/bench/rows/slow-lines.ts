/** Measures every page on a slow connection, on the first visit and on the next. Needs Chromium. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env } from 'node:process'
import { pino } from 'pino'
import { chromium } from 'playwright-core'
import { createApp } from '../../../src/app.tsx'
import type { Sql } from '../../../src/db/postgres/client.ts'
import { filesIn } from '../../../src/domain/downloads/files.ts'
import { serve } from '../../../src/runtime/serve.ts'
import { scene } from '../../support/app/scene.ts'
import { type Cost, costOf, slow_4g } from '../../support/browser/weight.ts'
import { findMachine } from '../../support/run/machine.ts'

const paths = [
  '/login',
  '/',
  '/search?q=bread',
  '/channels',
  '/channels/kitchen',
  '/watch/done-1',
  '/watch/wanted',
  '/downloads',
  '/import',
  '/settings',
  '/settings/account',
  '/settings/tokens',
  '/health',
  '/api/docs',
]

export async function pages(sql: Sql): Promise<object[]> {
  const { chromium: found } = await findMachine()
  if ('missing' in found) throw new Error(found.missing)
  const folder = await mkdtemp(join(tmpdir(), 'backlot-pages-'))
  const alice = await scene(sql, folder)
  const config = { PUBLIC_URL: undefined, REGISTRATION: 'open' } as const
  const notAsked = async () => Promise.reject(new Error('not asked'))
  const outside = { readFeed: notAsked, discover: notAsked, log: pino({ level: 'silent' }) }
  const app = await createApp({ sql, search_sql: sql, files: filesIn(folder), config, ...outside })
  const server = await serve(app.fetch, '127.0.0.1', 0)
  const browser = await chromium.launch({
    executablePath: found.executable,
    env: { ...env, LC_ALL: 'C.UTF-8', ...found.env },
    args: ['--no-sandbox'],
  })
  const [name = '', value = ''] = alice.cookie.split('=')
  const rows = []
  try {
    for (const path of paths) {
      const context = await browser.newContext({ baseURL: server.url, viewport: { width: 390, height: 844 } })
      if (path !== '/login') await context.addCookies([{ name, value, url: server.url }])
      rows.push(rowOf(path, await costOf(await context.newPage(), path, slow_4g)))
      await context.close()
    }
  } finally {
    await browser.close()
    await server.close()
    await rm(folder, { recursive: true, force: true })
  }
  return rows
}

const kB = (bytes: number) => (bytes / 1000).toFixed(1)

const rowOf = (page: string, { first, second, ...rest }: Cost) => ({
  page,
  'kB, first': kB(first.bytes),
  unpacked: kB(first.raw_bytes),
  HTML: kB(first.html_bytes),
  requests: first.requests,
  'paint ms': rest.first_paint_ms,
  'kB, next': kB(second.bytes),
  'requests, next': second.requests,
  'paint ms, next': rest.second_paint_ms,
  shift: rest.shift.toFixed(3),
})
