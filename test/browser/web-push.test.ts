/** In a browser: the switch of notifications in this browser. Its push service is faked, because the real one is on the internet. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { type Person, person } from '../support/app/people.ts'
import { useSite } from '../support/browser/site.ts'

const site = useSite()

type Service = { permission: string }

/** Runs in the page before its scripts. The subscription outlives the page, as that of a browser does. */
function fakePushService() {
  const service: Service = { permission: 'granted' }
  const kept = () => localStorage.getItem('fake-endpoint')
  const subscription = (endpoint: string) => ({
    endpoint,
    toJSON: () => ({ endpoint, keys: { p256dh: `B${'a'.repeat(86)}`, auth: 'b'.repeat(22) } }),
    unsubscribe: async () => localStorage.removeItem('fake-endpoint'),
  })
  const pushManager = {
    getSubscription: async () => {
      const endpoint = kept()
      return endpoint ? subscription(endpoint) : null
    },
    subscribe: async ({ applicationServerKey }: { applicationServerKey: string }) => {
      localStorage.setItem('fake-key', applicationServerKey)
      localStorage.setItem('fake-endpoint', `https://push.example/${crypto.randomUUID()}`)
      return subscription(kept() ?? '')
    },
  }
  const ready = Promise.resolve({ pushManager })
  Object.defineProperty(navigator, 'serviceWorker', { value: { ready, register: async () => ({}) } })
  Object.assign(window, { PushManager: class {}, service })
  const requestPermission = async () => service.permission
  Object.defineProperty(window, 'Notification', { value: { requestPermission } })
}

declare const service: Service

async function opened(as: Person): Promise<{ page: Page; faults: string[] }> {
  const { page, faults } = await site.open(as)
  await page.addInitScript(fakePushService)
  await page.goto('/settings/notifications')
  return { page, faults }
}

const control = (page: Page) => page.getByLabel('Notify me in this browser')
const targets = ({ library }: Person) => library.targets.list()

it('a browser is switched on and off, and its row says which one it is', async () => {
  const alice = await person(site.sql, 'alice')
  const { page, faults } = await opened(alice)
  expect(await control(page).isChecked()).toBe(false)

  await control(page).click()
  await page.getByText('This browser', { exact: true }).waitFor()
  await expect.poll(() => control(page).isChecked()).toBe(true)
  expect(await targets(alice)).toMatchObject([{ kind: 'browser' }])
  // VAPID: an uncompressed point of P-256.
  expect(await page.evaluate(() => localStorage.getItem('fake-key'))).toMatch(/^B[\w-]{86}$/)

  // The page is loaded again at the end.
  await Promise.all([page.waitForEvent('load'), control(page).click()])
  expect(await targets(alice)).toEqual([])
  await expect.poll(() => control(page).isChecked()).toBe(false)
  expect(await page.evaluate(() => localStorage.getItem('fake-endpoint'))).toBeNull()
  expect(faults).toEqual([])
})

it('a browser of two people tells only the one who switched it on last', async () => {
  const [alice, bob] = [await person(site.sql, 'alice'), await person(site.sql, 'bob')]
  const { page } = await opened(alice)
  await control(page).click()
  await page.getByText('This browser', { exact: true }).waitFor()
  const first = await page.evaluate(() => localStorage.getItem('fake-endpoint'))

  // Bob signs in, in the same browser.
  const [name = '', value = ''] = bob.cookie.split('=')
  await page.context().addCookies([{ name, value, url: new URL('/', page.url()).href }])
  await page.reload()
  expect(await control(page).isChecked()).toBe(false)
  await control(page).click()
  await page.getByText('This browser', { exact: true }).waitFor()
  // The push service no longer takes messages at the former address.
  expect(await page.evaluate(() => localStorage.getItem('fake-endpoint'))).not.toBe(first)
})

it('a browser that signs out tells no more', async () => {
  const alice = await person(site.sql, 'alice')
  const { page } = await opened(alice)
  await control(page).click()
  await page.getByText('This browser', { exact: true }).waitFor()

  await page.locator('.user > summary').click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL('**/login**')

  expect(await targets(alice)).toEqual([])
  expect(await page.evaluate(() => localStorage.getItem('fake-endpoint'))).toBeNull()
})

it('a browser that does not allow it says so, and stays off', async () => {
  const alice = await person(site.sql, 'alice')
  const { page } = await opened(alice)
  await page.evaluate(() => {
    service.permission = 'denied'
  })
  await control(page).click()
  await page.getByText('This browser does not let Backlot notify you.').waitFor()
  expect([await control(page).isChecked(), await control(page).isEnabled()]).toEqual([false, true])
  expect(await targets(alice)).toEqual([])
})

it('a browser without push says so', async () => {
  const { page } = await site.open(await person(site.sql, 'alice'))
  await page.addInitScript(() => {
    Reflect.deleteProperty(window, 'PushManager')
  })
  await page.goto('/settings/notifications')
  await page.getByText('This browser shows no notifications of sites.').waitFor()
  expect(await control(page).isDisabled()).toBe(true)
})

it('a long address does not make a phone scroll sideways', async () => {
  const alice = await person(site.sql, 'alice')
  const address = `https://hooks.example/${'a'.repeat(200)}`
  await alice.library.targets.add({ kind: 'webhook', address, token_or_key: null, events: ['space'] })
  const { page } = await site.openAt('/settings/notifications', alice, { viewport: { width: 320, height: 640 } })
  const beyond = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return scrollWidth - clientWidth
  })
  expect(beyond).toBeLessThanOrEqual(0)
})
