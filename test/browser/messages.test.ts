/** How long the messages at the edge of a page stay, and how they are closed. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import type { Flash } from '../../src/schema/http/flash.ts'
import { personWith } from '../support/app/people.ts'
import { pointAt, useSite } from '../support/browser/site.ts'

const site = useSite()

async function told(flash: Flash) {
  const { page } = await site.open(await personWith(site.sql, 'alice', 'slow', ['a']))
  await page.clock.install()
  await page.goto('/channels')
  const value = Buffer.from(JSON.stringify(flash)).toString('base64url')
  await page.context().addCookies([{ name: 'flash', value, url: page.url() }])
  await page.goto('/channels')
  return { page, message: page.locator('.flash') }
}

const later = (page: Page) => page.clock.runFor(15_000)

it('a message goes after a while, but not while the pointer or the focus is on it', async () => {
  const { page, message } = await told({ kind: 'done', text: 'Saved.' })
  await pointAt(message)
  await later(page)
  expect(await message.count()).toBe(1)
  await page.mouse.move(0, 0)
  await page.getByRole('button', { name: 'Close message' }).focus()
  await later(page)
  expect(await message.count()).toBe(1)
  await page.locator('body').click({ position: { x: 1, y: 1 } })
  await later(page)
  expect(await message.count()).toBe(0)
})

it.each<[string, Flash]>([
  ['that offers Undo', { kind: 'done', text: 'Watched.', undo: { do: 'unsee', video_id: 'a' } }],
  ['about a problem', { kind: 'problem', text: 'The site does not answer.' }],
])('a message %s stays until it is closed', async (_, flash) => {
  const { page, message } = await told(flash)
  await later(page)
  expect(await message.count()).toBe(1)
  await page.getByRole('button', { name: 'Close message' }).click()
  expect(await message.count()).toBe(0)
})

it('only a problem interrupts a screen reader', async () => {
  const problem = await told({ kind: 'problem', text: 'The site does not answer.' })
  expect(await problem.page.getByRole('alert').textContent()).toContain('does not answer')
  const done = await told({ kind: 'done', text: 'Saved.' })
  expect(await done.page.getByRole('status').getByText('Saved.').count()).toBe(1)
  expect(await done.page.getByRole('alert').count()).toBe(0)
})
