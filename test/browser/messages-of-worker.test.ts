/** In a browser: the service worker shows the messages that are pushed to it, and a press on a message opens its page. */
import type { Page, Worker } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { person } from '../support/app/people.ts'
import { workerScope } from '../support/browser/browser.ts'
import { useSite } from '../support/browser/site.ts'

const site = useSite()

/** A page whose worker is active and may show messages. */
async function withWorker() {
  const { page } = await site.open(await person(site.sql, 'alice'), { serviceWorkers: 'allow' })
  await page.context().grantPermissions(['notifications'])
  await page.goto('/channels')
  await workerScope(page)
  await workerOf(page).evaluate(rememberMessages)
  return page
}

function workerOf(page: Page): Worker {
  const [worker] = page.context().serviceWorkers()
  if (!worker) throw new Error('The page has no worker.')
  return worker
}

/** Runs in the worker. A Chromium that is built without a window, as the tests bring it, shows no messages: there a list has them. */
function rememberMessages() {
  if (Notification.permission === 'granted') return
  const { registration } = self as unknown as { registration: ServiceWorkerRegistration }
  const list: Notification[] = []
  registration.showNotification = async (title, { body = '', tag = '', data = null } = {}) => {
    const at = list.findIndex(one => tag !== '' && one.tag === tag)
    list.splice(at < 0 ? list.length : at, 1, { title, body, tag, data, close() {} } as unknown as Notification)
  }
  registration.getNotifications = async ({ tag } = {}) => list.filter(one => tag === undefined || one.tag === tag)
}

/** Delivers each of these texts as the push service of the browser would. */
async function push(page: Page, ...texts: string[]) {
  const line = await page.context().newCDPSession(page)
  onTestFinished(() => line.detach().catch(() => {}))
  const found = new Promise<string>(resolve => {
    line.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [first] = registrations
      if (first) resolve(first.registrationId)
    })
  })
  await line.send('ServiceWorker.enable')
  const [registrationId, { origin }] = [await found, new URL(page.url())]
  for (const data of texts) await line.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data })
}

/** The messages that the browser shows now. */
const shown = (page: Page) =>
  workerOf(page).evaluate(async () => {
    const { registration } = self as unknown as { registration: ServiceWorkerRegistration }
    return (await registration.getNotifications()).map(({ title, body, tag, data }) => ({ title, body, tag, data }))
  })

const message = {
  id: '5b0f8d6e-2f0c-4a57-9a0e-7f3f9d1c2b44',
  event: 'new_video',
  title: 'Slow Kitchen',
  text: 'Bread <b>in a pan</b>',
}

it('a message is shown once, however often it is sent', async () => {
  const page = await withWorker()
  const url = new URL('/watch/bread', page.url()).href
  const first = JSON.stringify({ ...message, url })
  await push(page, first, first, JSON.stringify({ ...message, id: 'another', url: null }))

  await expect.poll(async () => (await shown(page)).length).toBe(2)
  expect(await shown(page)).toContainEqual({
    title: 'Slow Kitchen',
    body: 'Bread <b>in a pan</b>',
    tag: message.id,
    data: url,
  })
})

it('a message that cannot be read is shown without words of its own', async () => {
  const page = await withWorker()
  await push(page, 'not JSON')
  await expect.poll(() => shown(page)).toEqual([{ title: 'Backlot', body: 'Something is new.', tag: '', data: null }])
})

/** Presses the message that is shown. Nothing but a person can, so the worker itself is told. */
async function press(page: Page, url: unknown) {
  return workerOf(page).evaluate(async data => {
    const opened: string[] = []
    const scope = self as unknown as {
      clients: { openWindow(url: string): Promise<unknown> }
      registration: ServiceWorkerRegistration
    }
    scope.clients.openWindow = async address => opened.push(address)
    await scope.registration.showNotification('Pressed', { data, tag: 'pressed' })
    const [notification] = await scope.registration.getNotifications({ tag: 'pressed' })
    const works: Promise<unknown>[] = []
    // A NotificationEvent lets no test wait for its work.
    const event = Object.assign(new Event('notificationclick'), {
      notification,
      waitUntil: (work: Promise<unknown>) => works.push(work),
    })
    self.dispatchEvent(event)
    await Promise.all(works)
    return opened
  }, url)
}

it('a press opens a page of this site only', async () => {
  const page = await withWorker()
  const site_address = new URL('/', page.url()).href
  expect(await press(page, `${site_address}watch/bread`)).toEqual([`${site_address}watch/bread`])
  expect(await press(page, '/downloads')).toEqual([`${site_address}downloads`])
  for (const other of ['https://elsewhere.example/', 'javascript:alert(1)', null, 7, '//elsewhere.example'])
    expect(await press(page, other)).toEqual([site_address])
  // The window that shows the page already comes to the front. Chromium allows that after the press of a person only.
  await expect(press(page, page.url())).rejects.toThrow('Not allowed to focus a window')
})
