/** Uses a slow connection: a button says that it works, and acts once. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { follows, person } from '../support/app/people.ts'
import { useSite } from '../support/browser/site.ts'

const site = useSite()

/** Leaves a request without an answer until the function that is returned is called. */
async function hold(page: Page, path: string): Promise<() => void> {
  const { promise: freed, resolve: free } = Promise.withResolvers<void>()
  await page.route(`**${path}`, async route => {
    await freed
    await route.fallback()
  })
  return free
}

function posts(page: Page) {
  const sent: string[] = []
  page.on('request', request => request.method() === 'POST' && sent.push(new URL(request.url()).pathname))
  return sent
}

it('a button of htmx says that it works, and a double click sends once', async () => {
  const alice = await person(site.sql, 'alice')
  await follows(alice, 'kitchen', ['a'])
  const { page, faults } = await site.openAt('/channels/kitchen', alice)
  const free = await hold(page, '/downloads/a')
  const sent = posts(page)

  await page.locator('#download-a .get button').dblclick()

  expect(await page.locator('#download-a .get button').getAttribute('aria-busy')).toBe('true')
  free()
  await page.locator('#download-a', { hasText: 'Cancel' }).waitFor()
  expect(await page.locator('#download-a .cancel button').getAttribute('aria-busy')).toBeNull()
  expect(sent).toEqual(['/downloads/a'])
  expect(faults).toEqual([])
})

it('a button of a plain form says that it works, and a double click sends once', async () => {
  const alice = await person(site.sql, 'alice')
  await follows(alice, 'kitchen', ['a', 'b'])
  const { page } = await site.openAt('/channels/kitchen?select=1', alice)
  for (const box of await page.locator('.video [type=checkbox]').all()) await box.check()
  const free = await hold(page, '/downloads')
  const sent = posts(page)
  const button = page.locator('.choosing-bar').getByRole('button', { name: 'Download' })

  // Kept until after the page is closed.
  await page.evaluate(() =>
    document.addEventListener('submit', ({ submitter }) =>
      sessionStorage.setItem('busy', submitter?.getAttribute('aria-busy') ?? 'no'),
    ),
  )

  await button.dblclick({ noWaitAfter: true })
  free()
  await page.getByText('2 videos queued.').waitFor()

  expect(await page.evaluate(() => sessionStorage.getItem('busy'))).toBe('true')
  expect(sent).toEqual(['/downloads'])
})

it('a page that loads slowly does not shift while it is read', async () => {
  const alice = await person(site.sql, 'alice')
  await follows(alice, 'kitchen', ['a', 'b', 'c'])
  const { page } = await site.open(alice)
  const line = await page.context().newCDPSession(page)
  await line.send('Network.enable')
  await line.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 400,
    downloadThroughput: 50_000,
    uploadThroughput: 50_000,
  })
  await page.goto('/')
  const shift = await page.evaluate(
    () =>
      new Promise<number>(resolve => {
        let sum = 0
        new PerformanceObserver(list => {
          for (const seen of list.getEntries()) sum += (seen as PerformanceEntry & { value: number }).value
        }).observe({ type: 'layout-shift', buffered: true })
        setTimeout(() => resolve(sum), 500)
      }),
  )
  expect(shift).toBeLessThan(0.01)
})
