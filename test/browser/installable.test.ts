/**
 * Checks that Chromium accepts the manifest, that a phone can share a channel's page with the service, and that the installed app says so
 * when there is no connection.
 */
import type { ServerResponse } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { serve } from '../../src/runtime/serve.ts'
import { person } from '../support/app/people.ts'
import { workerScope } from '../support/browser/browser.ts'
import { hurry, installClock } from '../support/browser/clock.ts'
import { findKitchen, useSite } from '../support/browser/site.ts'

const site = useSite({
  findFeed: findKitchen,
})

it('Chromium accepts the manifest, and each icon has the size it claims', async () => {
  const { page, faults } = await site.openAt('/login')
  const line = await page.context().newCDPSession(page)

  const { errors, data } = await line.send('Page.getAppManifest')
  const { installabilityErrors } = await line.send('Page.getInstallabilityErrors')

  expect(errors).toEqual([])
  expect(installabilityErrors.map(({ errorId }) => errorId).filter(id => id !== 'in-incognito')).toEqual([])
  const manifest = JSON.parse(data ?? '{}') as { icons: { src: string; sizes: string; type: string }[] }
  expect(manifest.icons.length).toBe(4)
  for (const { src, sizes, type } of [
    // Relative to the manifest.
    ...manifest.icons.map(icon => ({ ...icon, src: `/static/${icon.src}` })),
    { src: '/static/apple-touch-icon.png', sizes: '180x180', type: 'image/png' },
    // Playwright lets no page load this one, so its size is not checked.
    { src: '/favicon.ico', sizes: 'any', type: 'image/x-icon' },
  ]) {
    const answer = await page.request.get(src)
    expect([src, answer.headers()['content-type']]).toEqual([src, type])
    if (sizes === 'any') continue
    const width = await page.evaluate(async path => {
      const image = new Image()
      await new Promise((resolve, reject) => {
        image.onload = resolve
        image.onerror = () => reject(new Error(`${path} is no picture`))
        image.src = path
      })
      return `${image.naturalWidth}x${image.naturalHeight}`
    }, src)
    expect([src, width]).toEqual([src, sizes])
  }
  expect(faults).toEqual([])
})

it.each([
  ['as an address', '?title=x&url=https%3A%2F%2Fvideos.example%2Fc'],
  ['inside a text, as most phones do', '?text=Look%20at%20this%3A%20https%3A%2F%2Fvideos.example%2Fc'],
])('the channel of a shared page is found, shared %s', async (_, query) => {
  const { page } = await site.openAt(`/channels/new${query}`, await person(site.sql, 'alice'))
  await expect
    .poll(() => page.locator('h1, h2').allTextContents())
    .toContainEqual(expect.stringContaining('Found Kitchen'))
})

it('the colour of the window is the background of the page, in light and dark', async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page } = await site.openAt('/login', undefined, { colorScheme })
    const [ground, meta] = await page.evaluate(scheme => {
      const said = document.querySelector(`meta[name=theme-color][media*=${scheme}]`)?.getAttribute('content') ?? ''
      const probe = document.body.appendChild(document.createElement('i'))
      probe.setAttribute('hidden', '')
      const asColour = (value: string) => {
        probe.style.color = value
        return getComputedStyle(probe).color
      }
      return [getComputedStyle(document.body).backgroundColor, asColour(said)]
    }, colorScheme)
    expect(meta).toBe(ground)
  }
})

const html = { headers: { 'Content-Type': 'text/html' } }

/** A page that the worker of Backlot answers for from now on. */
async function withWorker(options = {}) {
  const { page } = await site.openAt('/channels', await person(site.sql, 'alice'), {
    serviceWorkers: 'allow',
    ...options,
  })
  await workerScope(page)
  return page
}

describe('without a connection', () => {
  it('a page of our own says so, and opens what was asked for when the connection is back', async () => {
    const page = await withWorker()
    await page.context().setOffline(true)
    await page.goto('/downloads?show=failed')

    expect(await page.locator('h1').textContent()).toBe('You are offline')
    expect(await page.title()).toBe('You are offline · Backlot')
    expect(await page.evaluate(() => getComputedStyle(document.body).display)).toBe('grid')

    await page.context().setOffline(false)
    await page.getByRole('heading', { name: 'Failed', exact: true }).waitFor()
    expect(page.url()).toMatch(/\/downloads\?show=failed$/)
  })

  it('while the server is off, its page asks again, and opens what was asked for when the server is back', async () => {
    const server = { is_off: false, asked: 0 }
    const front = await serve(
      (request, connection) => {
        if (!server.is_off) return site.app.fetch(request, connection)
        if (request.url.endsWith('/healthz')) server.asked++
        ;(connection.answer as ServerResponse).destroy()
        return new Response()
      },
      '127.0.0.1',
      0,
    )
    onTestFinished(() => front.close())
    const page = await withWorker({ baseURL: front.url })
    await installClock(page)
    server.is_off = true
    await page.goto('/downloads?show=failed')
    expect(await page.locator('h1').textContent()).toBe('Backlot cannot be reached')
    await hurry(page, () => expect(server.asked).toBeGreaterThan(1))

    server.is_off = false
    await hurry(page, page.getByRole('heading', { name: 'Failed', exact: true }).waitFor())
    expect(page.url()).toMatch(/\/downloads\?show=failed$/)
  })

  it('a form is not sent, and its page opens again with what was typed', async () => {
    const { page } = await site.openAt('/register', undefined, { serviceWorkers: 'allow' })
    await workerScope(page)
    const name = page.getByLabel('Username')
    await name.fill('beatrice')
    await page.context().setOffline(true)
    await name.evaluate((input: HTMLInputElement) => input.form?.submit())
    await page.getByRole('heading', { name: 'You are offline' }).waitFor()
    expect(await page.getByRole('link', { name: 'Try again' }).getAttribute('href')).toMatch(/\/register$/)

    await page.context().setOffline(false)
    await name.waitFor()
    expect(await name.inputValue()).toBe('beatrice')
  })

  it('a form is sent to a server that answers, although this machine has no network', async () => {
    const page = await withWorker()
    const [worker] = page.context().serviceWorkers()
    await worker?.evaluate(() => Object.defineProperty(navigator, 'onLine', { get: () => false }))
    await page.locator('.themes button[value=dark]').evaluate((button: HTMLElement) => button.click())
    await page.waitForFunction(() => document.documentElement.dataset.theme === 'dark')
    expect(page.url()).toMatch(/\/channels$/)
  })

  it('nothing of a person is stored, and no answer of the service is replaced', async () => {
    const page = await withWorker()
    for (const path of ['/nowhere', '/login', '/']) await page.goto(path)
    expect((await page.goto('/nowhere'))?.status()).toBe(404)
    expect(await page.evaluate(() => caches.keys())).toEqual([])
  })

  it('a request of another site is still told from our own', async () => {
    const page = await withWorker()
    const address = new URL('/channels/new?url=https://videos.example/', page.url()).href
    const other = await serve(() => new Response(`<a href="${address}">Look</a>`, html), '127.0.0.1', 0)
    onTestFinished(() => other.close())
    await page.goto(other.url.replace('127.0.0.1', 'localhost'))
    await page.getByRole('link').click()
    await page.waitForURL(address)
    expect(await page.textContent('h1')).toBe('Follow a channel or add a video')
  })
})
