/** What a page that polls leaves alone: focus, selection, ticks, menus and a playing video; and when it asks at all. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Page, Response } from 'playwright-core'
import { expect, it, vi } from 'vitest'
import { type MediaServer, openMediaServer } from '../support/media.ts'
import { follows, type Person } from '../support/people.ts'
import { finishes, half, runs, scene } from '../support/scene.ts'
import { useSite } from '../support/site.ts'

const site = useSite()

/** Every answer to a poll of this page from now on. */
function polls(page: Page): Response[] {
  const answers: Response[] = []
  page.on('response', answer => {
    if (answer.url().includes('/api/download/status')) answers.push(answer)
  })
  return answers
}
const statuses = (answers: Response[]) => answers.map(answer => answer.status())

const claimOf = async (alice: Person, video_id: string) => {
  const [row] = await site.sql<{ claim: string }[]>`
    select download_claim as claim from video_entries where user_id = ${alice.user.user_id} and video_id = ${video_id}`
  return row?.claim ?? ''
}
const percent = (alice: Person, claim: string, part: number) =>
  alice.library.downloads.beat('running', claim, { ...half, percent: part })
const shows = (page: Page, words: string) => page.locator('#download-running', { hasText: words }).waitFor()

it('asks once a second for everything, is told 304 while nothing changes, and stops when nothing moves', async () => {
  const alice = await scene(site.sql)
  const { page, faults } = await site.open(alice)
  await page.goto('/downloads')
  const answers = polls(page)

  await vi.waitFor(() => expect(statuses(answers).filter(status => status === 304).length).toBeGreaterThan(1), 8000)
  const claim = await claimOf(alice, 'running')
  await percent(alice, claim, 60)
  await shows(page, '60%')
  const sizes = await Promise.all(
    answers.filter(answer => answer.status() === 200).map(async answer => (await answer.body()).length),
  )
  console.log(`bytes of the polls that brought something: ${sizes.join(', ')}`)
  expect(sizes.at(-1)).toBeLessThan(2000)

  await alice.library.downloads.cancelAll(['running', 'waiting-1', 'waiting-2', 'retrying'])
  await page.locator('#polling:not([hx-get])').waitFor({ state: 'attached' })
  const asked = answers.length
  await page.waitForTimeout(2500)
  expect(answers.length).toBe(asked)
  expect(faults).toEqual([])
})

it('moves what has ended to its shelf without a reload, and keeps focus, ticks, menus and selected words', async () => {
  const alice = await scene(site.sql)
  const { page, faults } = await site.open(alice)
  await page.goto('/downloads')
  const claim = await claimOf(alice, 'running')
  await page.getByRole('checkbox', { name: 'Choose Members only' }).check()
  await page.getByRole('checkbox', { name: 'Choose A very long title' }).check()
  await page.locator('#row-done-1 summary').click()
  await page.evaluate(() => {
    const title = document.querySelector('#title-done-2 a')
    if (title) getSelection()?.selectAllChildren(title)
  })
  await page.locator('#row-retrying').getByRole('button', { name: 'Try now' }).focus()
  await page.evaluate(() => Object.assign(document.body, { untouched: true }))

  await percent(alice, claim, 71)
  await shows(page, '71%')
  await alice.library.downloads.finish('running', claim, { download_path: 'a/b/c.mp4', file_size: 5 }, async () => {})
  await page.locator('#shelf-done #row-running').waitFor()

  expect(await page.locator('#shelf-running').count()).toBe(0)
  expect(await page.getByText('2 on disk').or(page.getByText('3 on disk')).first().textContent()).toContain('3 on disk')
  expect(await page.getByRole('checkbox', { name: 'Choose Members only' }).isChecked()).toBe(true)
  expect(await page.getByRole('checkbox', { name: 'Choose A very long title' }).isChecked()).toBe(true)
  expect(await page.locator('#row-done-1 details').first().getAttribute('open')).not.toBeNull()
  expect(await page.evaluate(() => getSelection()?.toString())).toBe('Dumplings, again')
  const focused = await page.evaluate(() => document.activeElement?.closest('.row')?.id)
  expect(focused).toBe('row-retrying')
  expect(await page.evaluate(() => 'untouched' in document.body)).toBe(true)
  expect(faults).toEqual([])
})

it('keeps the focus on the button of a cell that changes under it', async () => {
  const alice = await scene(site.sql)
  const { page } = await site.open(alice)
  await page.goto('/')
  const cancel = page.locator('#download-running button')
  await cancel.focus()
  const claim = await claimOf(alice, 'running')
  for (const part of [55, 65]) {
    await percent(alice, claim, part)
    await shows(page, `${part}%`)
    expect(await cancel.evaluate(button => button === document.activeElement)).toBe(true)
  }
})

it('does not disturb a video that plays', async () => {
  const media: MediaServer = await openMediaServer()
  try {
    const alice = await scene(site.sql)
    const file = join(site.folder, alice.user.user_id, 'kitchen', 'wanted.mp4')
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, new Uint8Array(await (await fetch(`${media.url}/plain.mp4`)).arrayBuffer()))
    await finishes(alice, 'wanted', 5)
    const { page } = await site.open(alice)
    await page.goto('/watch/wanted')
    await page.evaluate(async () => {
      const video = document.querySelector('video')
      if (!video) throw new Error('there is no player')
      Object.assign(window, { emptied: 0 })
      video.addEventListener('emptied', () => Object.assign(window, { emptied: 1 }))
      video.muted = true
      video.loop = true
      await video.play()
    })
    const claim = await claimOf(alice, 'running')
    for (const part of [51, 61, 71]) {
      await percent(alice, claim, part)
      await shows(page, `${part}%`)
    }
    const after = await page.evaluate(() => {
      const video = document.querySelector('video')
      return { at: video?.currentTime ?? 0, paused: video?.paused, emptied: (window as { emptied?: number }).emptied }
    })
    expect(after).toMatchObject({ paused: false, emptied: 0 })
    expect(after.at).toBeGreaterThan(0)
  } finally {
    await media.close()
  }
})

it('asks less while nobody looks, and at once when somebody does again', async () => {
  const alice = await scene(site.sql)
  const { page } = await site.open(alice)
  await page.goto('/downloads')
  const answers = polls(page)
  await vi.waitFor(() => expect(answers.length).toBeGreaterThan(0), 5000)
  const look = (hidden: boolean) =>
    page.evaluate(is_hidden => {
      Object.defineProperty(document, 'hidden', { value: is_hidden, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    }, hidden)

  await look(true)
  await page.waitForTimeout(1500)
  const before = answers.length
  await page.waitForTimeout(3000)
  expect(answers.length).toBe(before)
  await look(false)
  await vi.waitFor(() => expect(answers.length).toBeGreaterThan(before + 1), 5000)
})

it('asks ever less while the server is away, says nothing of it, and goes on when it is back', async () => {
  const alice = await scene(site.sql)
  const { page } = await site.open(alice)
  await page.goto('/downloads')
  let tried = 0
  await page.route('**/api/download/status?*', route => {
    tried += 1
    return route.abort()
  })
  await page.waitForTimeout(8000)
  // After 2 and 4 seconds, and not eight times.
  expect(tried).toBeGreaterThan(1)
  expect(tried).toBeLessThan(5)
  expect(await page.locator('.flash').count()).toBe(0)
  await page.unroute('**/api/download/status?*')
  await page.evaluate(() => window.dispatchEvent(new Event('online')))
  await percent(alice, await claimOf(alice, 'running'), 88)
  await shows(page, '88%')
})

it('says of fifty that run what one of them has come to in a few hundred bytes', async () => {
  const alice = await scene(site.sql)
  const ids = Array.from({ length: 50 }, (_, index) => `many-${index}`)
  await follows(alice, 'many', ids)
  for (const id of ids) await runs(alice, id)
  const { page } = await site.open(alice)
  await page.goto('/channels/many')
  const answers = polls(page)
  await vi.waitFor(() => expect(statuses(answers)).toContain(304), 8000)
  const first = (await answers[0]?.body())?.length
  await alice.library.downloads.beat('many-3', await claimOf(alice, 'many-3'), { ...half, percent: 90 })
  await page.locator('#download-many-3', { hasText: '90%' }).waitFor()
  const last = answers.findLast(answer => answer.status() === 200)
  const bytes = (await last?.body())?.length ?? 0
  console.log(`fifty running: first poll ${first} bytes, one changed ${bytes} bytes, none changed 0`)
  expect(bytes).toBeLessThan(2500)
})
