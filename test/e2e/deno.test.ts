/** Runs the same app and the same worker on Deno; `bucket.test.ts` runs them there as two processes. */
import { pid } from 'node:process'
import { expect, it, onTestFinished, vi } from 'vitest'
import { useDatabase } from '../support/app/database.ts'
import { openMediaServer } from '../support/media/media.ts'
import { client, journey, register } from '../support/process/journey.ts'
import { openToOthers } from '../support/process/permissions.ts'
import { start } from '../support/process/processes.ts'
import { processesWith } from '../support/process/running.ts'
import { environmentIn } from '../support/process/tools.ts'
import { newFolder } from '../support/run/new-folder.ts'

const db = useDatabase()
const folder = newFolder()

it('on Deno, one process with its own Postgres does everything from account to file', async () => {
  const media = await openMediaServer()
  onTestFinished(() => media.close())
  const all = await start('all', { on: 'deno', env: await environmentIn(folder) })
  await journey(all.url, media, 'alone')
  expect(await all.stop('SIGINT')).toBe(0)
  expect(await openToOthers(folder)).toEqual([])
  await vi.waitFor(async () => expect(await processesWith(folder)).toEqual([]))
})

it('by deno serve, below a path, links, redirects and the cookie have the path', async () => {
  // An address of this process alone, because the service prints PUBLIC_URL and not its port.
  const HOST = `127.66.${(pid >> 8) & 255}.${pid & 255 || 1}`
  const more = { DATABASE_URL: db.url, HOST, PORT: '8000', PUBLIC_URL: 'http://tv.example/backlot' }
  const env = { ...(await environmentIn(folder)), ...more }
  const web = await start('web', { on: 'deno serve', entry: 'src/deno.ts', env })
  const sent = client(`http://${HOST}:8000/backlot`)
  // Deno listens when the module is loaded.
  await vi.waitFor(() => sent('/healthz'))
  const cookies: string[] = []
  const ask: typeof sent = async (...request) => {
    const answer = await sent(...request)
    cookies.push(...answer.headers.getSetCookie())
    return answer
  }
  expect((await ask('/channels')).headers.get('location')).toBe('/backlot/login?next=%2Fchannels')
  await register(ask, 'below')
  expect(await (await ask('/channels')).text()).toContain('href="/backlot/channels"')
  expect(cookies).toEqual(cookies.map(() => expect.stringContaining('; Path=/backlot;')))
  expect(cookies).not.toEqual([])
  expect(await web.stop()).toBe(0)
})
