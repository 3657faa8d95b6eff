/** Opens every page in a browser and expects no violation of its content security policy. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Server, serve } from '../../src/runtime/serve.ts'
import { useApp } from '../support/app/app.ts'
import { onDisk } from '../support/app/files.ts'
import { follows, type Person, person } from '../support/app/people.ts'
import { useBrowser } from '../support/browser/browser.ts'

const app = useApp()
const browser = useBrowser()
let server: Server
let alice: Person

beforeAll(async () => {
  alice = await person(app.sql, 'alice')
  await follows(alice, 'c', ['v1', 'v2'])
  await onDisk(app.folder, alice, 'v1', 'no real film', 'c')
  server = await serve(app.app.fetch, '127.0.0.1', 0)
})
afterAll(() => server?.close())

/** The paths of all pages, from the routes of the app without those of files, of parts of pages and for hubs. */
const pages = () => {
  const paths = app.app.routes.filter(({ method }) => method === 'GET').map(({ path }) => path)
  return [...new Set(paths)]
    .filter(
      path =>
        !/^\/(static|stream|download|export|healthz|readyz|import|push|pictures)\b[/.:]|^\/(healthz|readyz|favicon\.ico|service-worker\.js|pictures|export\.\w+)$/.test(
          path,
        ),
    )
    .filter(path => !path.startsWith('/api/') || path === '/api/docs')
    .filter(path => path !== '/search/suggestions') // A part of a page, fetched by its script.
    .map(path => path.replace(':video_id', 'v1').replace(':channel_id', 'c'))
}

/** Violations of the policy on these pages, their errors, and requests to other hosts. */
async function reportsOf(as: Person | undefined, paths: string[], colorScheme: 'light' | 'dark'): Promise<string[]> {
  const context = await browser.newContext({ baseURL: server.url, colorScheme })
  const [name = '', value = ''] = as?.cookie.split('=') ?? []
  if (as) await context.addCookies([{ name, value, url: server.url }])
  const page = await context.newPage()
  const reports: string[] = []
  let path = ''
  await page.exposeFunction('report', (what: string) => reports.push(`${path}: ${what}`))
  await page.addInitScript(() => {
    const tell = (globalThis as unknown as { report(what: string): void }).report
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
      tell(`${violatedDirective} stopped ${blockedURI} ${sample}`),
    )
  })
  page.on('pageerror', fault => reports.push(`${path}: ${fault}`))
  page.on('request', request => {
    if (new URL(request.url()).origin !== new URL(server.url).origin && !request.url().startsWith('data:'))
      reports.push(`${path}: asks ${request.url()}`)
  })
  for (path of paths) {
    await page.goto(path)
    await page.locator('#main').waitFor()
    if (path === '/api/docs') await page.locator('.opblock').first().waitFor()
  }
  await context.close()
  return reports
}

it('no page violates the content security policy, in light or dark', async () => {
  expect(pages().length).toBeGreaterThan(8)
  expect(pages()).toEqual(expect.arrayContaining(['/', '/watch/v1', '/channels/c', '/api/docs', '/settings']))
  const themes = ['light', 'dark'] as const
  expect((await Promise.all(themes.map(theme => reportsOf(alice, pages(), theme)))).flat()).toEqual([])
  expect(await reportsOf(undefined, ['/login', '/register', '/nowhere'], 'light')).toEqual([])
})

it('a violation of the content security policy would be noticed', async () => {
  const context = await browser.newContext({ baseURL: server.url })
  const page = await context.newPage()
  await page.goto('/login')
  const stopped = page.evaluate(
    () =>
      new Promise<string>(resolve => {
        document.addEventListener('securitypolicyviolation', ({ violatedDirective }) => resolve(violatedDirective))
        const script = document.createElement('script')
        script.textContent = 'document.title = "run"'
        document.body.append(script)
      }),
  )
  expect(await stopped).toBe('script-src-elem')
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
