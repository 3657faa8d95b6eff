/** In a browser: the page New can be used with the keyboard alone. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { entry, type Person, person } from '../support/app/people.ts'
import { readyForKeys, useSite } from '../support/browser/site.ts'

const site = useSite()

/** Six videos, v5 the newest, in lines of four, without the column. */
async function opened(): Promise<{ alice: Person; page: Page }> {
  const alice = await person(site.sql, 'alice')
  await alice.library.channels.save(
    { channel_id: 'kitchen', title: 'Slow Kitchen', rss_url: 'https://videos.example/kitchen.xml' },
    Array.from({ length: 6 }, (_, n) =>
      entry(`v${n}`, { title: `Video ${n}`, published_at: new Date(Date.UTC(2026, 0, 1, n)) }),
    ),
  )
  const { page } = await site.openAt('/', alice, { viewport: { width: 1199, height: 900 } })
  await readyForKeys(page)
  return { alice, page }
}

const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent?.trim())
async function press(page: Page, ...keys: string[]) {
  for (const key of keys) await page.keyboard.press(key)
  return focused(page)
}

it('J, K and the arrows move between the cards, and Escape leaves', async () => {
  const { page } = await opened()
  expect(await press(page, 'j')).toBe('Video 5')
  expect(await press(page, 'j', 'j')).toBe('Video 3')
  expect(await press(page, 'k')).toBe('Video 4')
  expect(await press(page, 'ArrowRight', 'ArrowLeft', 'ArrowLeft')).toBe('Video 5')
  expect(await press(page, 'ArrowDown')).toBe('Video 1')
  expect(await press(page, 'ArrowUp')).toBe('Video 5')
  await page.keyboard.press('Escape')
  expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true)
})

it('D downloads, W marks as watched, O opens the card in focus, and ? lists the keys', async () => {
  const { alice, page } = await opened()
  expect(await press(page, 'j', 'd')).toBe('Video 5')
  await page.locator('#download-v5').getByRole('button', { name: 'Cancel' }).waitFor()
  await page.keyboard.press('w')
  await page.locator('.video:has(#title-v5) .marked.seen').waitFor({ state: 'attached' })
  expect((await alice.library.videos.find('v5'))?.queued).toBe(true)

  await page.keyboard.press('?')
  await page.getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor()
  await page.getByRole('button', { name: 'Close', exact: true }).click()

  await page.locator('#title-v4 a').focus()
  await page.keyboard.press('o')
  await page.waitForURL('**/watch/v4?list=new')
})

it('X hides one card after the other', async () => {
  const { alice, page } = await opened()
  await press(page, 'j', 'x')
  await page.locator('.video:has(#title-v5)').waitFor({ state: 'detached' })
  await page.waitForFunction(() => document.activeElement?.closest('#title-v4') !== null)
  await page.keyboard.press('x')
  await page.locator('.video:has(#title-v4)').waitFor({ state: 'detached' })
  await page.waitForFunction(() => document.activeElement?.closest('#title-v3') !== null)
  expect((await alice.library.videos.find('v4'))?.dismissed_at).not.toBeNull()
})

it('the menu of the user leads to the list of keys, on every page, and no key lies over the words beside it', async () => {
  const { page } = await opened()
  for (const path of ['/', '/watch/v5', '/channels']) {
    await page.goto(path)
    await page.locator('.user > summary').focus()
    await press(page, 'Enter')
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
    const overlaps = await page.locator('.key-list > div').evaluateAll(
      lines =>
        lines.filter(line => {
          const ends = [...line.querySelectorAll('kbd')].map(key => key.getBoundingClientRect().right)
          return Math.max(...ends) > (line.querySelector('dd')?.getBoundingClientRect().left ?? 0)
        }).length,
    )
    expect(overlaps, path).toBe(0)
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    expect(await page.locator('.user > summary').evaluate(menu => menu === document.activeElement), path).toBe(true)
  }
})

it('U undoes what the message says, and the focus stays in the list', async () => {
  const { alice, page } = await opened()
  await press(page, 'j', 'x')
  await page.locator('.video:has(#title-v5)').waitFor({ state: 'detached' })
  await page.locator('#flash').getByRole('button', { name: 'Undo' }).waitFor()
  await page.keyboard.press('u')
  await page.waitForFunction(() => document.activeElement?.closest('#title-v5') !== null)
  expect((await alice.library.videos.find('v5'))?.dismissed_at).toBeNull()
})

it('keys do nothing while a person types', async () => {
  const { page } = await opened()
  await page.getByRole('combobox').first().fill('')
  await page.keyboard.type('jd')
  expect(await page.getByRole('combobox').first().inputValue()).toBe('jd')
})

it('single keys do nothing on any page when they are turned off in the settings', async () => {
  const { alice, page } = await opened()
  await page.goto('/settings')
  await page.getByLabel('Single-key shortcuts').uncheck()
  await page.getByText('Saved', { exact: true }).waitFor()
  await page.keyboard.press('/')
  expect(await page.evaluate(() => document.activeElement?.matches('input[type=search]'))).toBe(false)

  await page.goto('/')
  await page.locator('.user > summary').click()
  expect(await page.getByRole('button', { name: 'Keyboard shortcuts' }).isVisible()).toBe(false)
  await page.goto('/')
  for (const key of ['j', '/', '?']) await page.keyboard.press(key)
  expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true)
  await page.goto('/watch/v5')
  for (const key of ['/', '?', 's']) await page.keyboard.press(key)
  expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true)
  expect((await alice.library.videos.find('v5'))?.seen_at).toBeNull()
})
