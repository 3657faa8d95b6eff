/** Checks that Chromium accepts the manifest, and that a phone can share a channel's page with the service. */
import { expect, it } from 'vitest'
import { entry, person } from '../support/app/people.ts'
import { useSite } from '../support/browser/site.ts'

const site = useSite({
  findFeed: async rss_url => ({
    rss_url,
    feed: { channel_id: 'found', title: 'Found Kitchen', entries: [entry('f1')], skipped: 0 },
  }),
})

it('Chromium accepts the manifest, and each icon has the size it claims', async () => {
  const { page, faults } = await site.open()
  await page.goto('/login')
  const line = await page.context().newCDPSession(page)

  const { errors, data } = await line.send('Page.getAppManifest')
  const { installabilityErrors } = await line.send('Page.getInstallabilityErrors')

  expect(errors).toEqual([])
  expect(installabilityErrors.map(({ errorId }) => errorId).filter(id => id !== 'in-incognito')).toEqual([])
  const manifest = JSON.parse(data ?? '{}') as { icons: { src: string; sizes: string; type: string }[] }
  expect(manifest.icons.length).toBe(4)
  for (const { src, sizes, type } of [
    ...manifest.icons,
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
  const { page } = await site.open(await person(site.sql, 'alice'))
  await page.goto(`/channels/new${query}`)
  await expect
    .poll(() => page.locator('h1, h2').allTextContents())
    .toContainEqual(expect.stringContaining('Found Kitchen'))
})

it('the colour of the window is the background of the page, in light and dark', async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page } = await site.open(undefined, { colorScheme })
    await page.goto('/login')
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
