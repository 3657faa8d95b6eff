/** Measures every page on a slow connection, on the first visit and on the next. Needs Chromium. */
import { mkdir } from 'node:fs/promises'
import { env } from 'node:process'
import { chromium } from 'playwright-core'
import { scene } from '../../support/app/scene.ts'
import { type Cost, costOf, slow_4g } from '../../support/browser/weight.ts'
import { findMachine } from '../../support/run/machine.ts'
import type { Bench } from '../run/bench.ts'
import { openSide } from '../run/side.ts'

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

export async function slowLines({ checkouts: { now }, databases, folder }: Bench): Promise<object[]> {
  const { chromium: found } = await findMachine()
  if ('missing' in found) throw new Error(found.missing)
  const side = await openSide('now', now, databases, folder)
  await mkdir(side.variables.DOWNLOADS_DIR ?? '')
  const alice = await scene(side.database.sql, side.variables.DOWNLOADS_DIR)
  const web = await side.start('web')
  const browser = await chromium.launch({
    executablePath: found.executable,
    env: { ...env, LC_ALL: 'C.UTF-8', ...found.env },
    args: ['--no-sandbox'],
  })
  const [name = '', value = ''] = alice.cookie.split('=')
  const rows = []
  try {
    for (const path of paths) {
      const context = await browser.newContext({ baseURL: web.url, viewport: { width: 390, height: 844 } })
      if (path !== '/login') await context.addCookies([{ name, value, url: web.url }])
      rows.push(rowOf(path, await costOf(await context.newPage(), path, slow_4g)))
      await context.close()
    }
  } finally {
    await browser.close()
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
