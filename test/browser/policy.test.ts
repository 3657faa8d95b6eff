/** In a browser: the content security policy. `every-page.ts` looks for violations on each page. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Server, serve } from '../../src/runtime/serve.ts'
import { useApp } from '../support/app/app.ts'
import { follows, type Person, person } from '../support/app/people.ts'
import { useBrowser } from '../support/browser/browser.ts'
import { noteViolations, violations } from '../support/browser/every-page.ts'

const app = useApp()
const browser = useBrowser()
let server: Server
let alice: Person

beforeAll(async () => {
  alice = await person(app.sql, 'alice')
  await follows(alice, 'c', [])
  server = await serve(app.app.fetch, '127.0.0.1', 0)
})
afterAll(() => server?.close())

it('a violation of the content security policy is noticed', async () => {
  const context = await browser.newContext({ baseURL: server.url })
  const page = await context.newPage()
  await page.addInitScript(`(${noteViolations})()`)
  await page.goto('/login')
  await page.evaluate(() => {
    const script = document.createElement('script')
    script.textContent = 'document.title = "run"'
    document.body.append(script)
  })
  await expect
    .poll(() => page.evaluate(violations))
    .toEqual([expect.stringMatching(/^script-src-elem stopped inline /)])
  expect(await page.title()).not.toBe('run')
  await context.close()
})

it('the page about the API sends requests as the person who is signed in', async () => {
  const context = await browser.newContext({ baseURL: server.url })
  const [name = '', value = ''] = alice.cookie.split('=')
  await context.addCookies([{ name, value, url: server.url }])
  const page = await context.newPage()
  await page.goto('/api/docs')
  await page.locator('#operations-channels-get_channels .opblock-summary-control').click()
  await page.getByRole('button', { name: 'Try it out' }).click()
  await page.getByRole('button', { name: 'Execute' }).click()
  await expect
    .poll(() => page.locator('.live-responses-table').allTextContents())
    .toContainEqual(expect.stringContaining('Channel c'))
  await context.close()
})
