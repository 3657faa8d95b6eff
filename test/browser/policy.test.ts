/** In a browser: the content security policy. `every-page.ts` looks for violations on each page. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Server, serve } from '../../src/runtime/serve.ts'
import { useApp } from '../support/app/app.ts'
import { onDisk } from '../support/app/files.ts'
import { follows, type Person, person } from '../support/app/people.ts'
import { useBrowser } from '../support/browser/browser.ts'
import { pages } from '../support/browser/pages.ts'

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

/** Not pages: files, parts of pages, what other programs ask, and addresses that lead on. */
const others = [
  /^\/(static|stream|download|export|import|push|pictures|s|f)\b[/.:]/,
  /^\/(favicon\.ico|service-worker\.js|pictures|export\.\w+|healthz|readyz)$/,
  /^\/(search\/suggestions|groups\/(column|tick)|videos\/:video_id\/menu|channels\/:channel_id\/backfill)$/,
  /^\/(login\/oidc|login\/oidc\/callback|channels\/:channel_id\/feeds)$/,
  /^\/api\/(?!docs$)/,
]

it('every page of a route is in the list of pages, which keep to the policy', () => {
  const routes = app.app.routes.filter(
    ({ method, path }) => method === 'GET' && !others.some(other => other.test(path)),
  )
  const visited = Object.values(pages)
    .flat()
    .map(({ path }) => path.replace(/\?.*/, ''))
  const isVisited = (route: string) => {
    const pattern = new RegExp(`^${route.replaceAll(/:[^/]+/g, '[^/]+')}$`)
    return visited.some(path => pattern.test(path))
  }
  const paths = [...new Set(routes.map(({ path }) => path))]
  expect(paths.length).toBeGreaterThan(30)
  expect(paths.filter(path => !isVisited(path))).toEqual([])
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
