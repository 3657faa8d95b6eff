/** In a browser: a playlist is arranged by dragging, by keys and by buttons, and videos are added to it from their menus. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { personWith } from '../support/app/people.ts'
import { phone, useSite } from '../support/browser/site.ts'

const site = useSite()

async function opened(options = {}) {
  const alice = await personWith(site.sql, 'alice', 'kitchen', ['a', 'b', 'c'])
  const { playlist_id } = await alice.library.playlists.create('Weekend')
  await alice.library.playlists.addVideos(playlist_id, ['a', 'b', 'c'])
  const { page, faults } = await site.openAt(`/playlists/${playlist_id}`, alice, options)
  const stored = () => alice.library.playlists.videoIds(playlist_id)
  return { alice, page, faults, stored }
}
const shown = (page: Page) =>
  page.locator('#videos > .row').evaluateAll(rows => rows.map(row => row.getAttribute('data-video')))
const handle = (page: Page, id: string) => page.locator(`.row[data-video=${id}] .arrange > summary`)
const placed = (page: Page) => page.waitForResponse(answer => answer.url().endsWith('/place'))

it('a row is dragged by its handle to another place', async () => {
  const { page, faults, stored } = await opened()
  const answer = placed(page)
  await handle(page, 'a').dragTo(page.locator('.row[data-video=c]'), { targetPosition: { x: 300, y: 70 } })
  await answer
  expect(await shown(page)).toEqual(['b', 'c', 'a'])
  expect(await stored()).toEqual(['b', 'c', 'a'])
  expect(await page.locator('details[open]').count()).toBe(0)
  expect(faults).toEqual([])
})

it('the arrow keys on a handle move its row, which keeps the focus, and the place is said', async () => {
  const { page, stored } = await opened()
  await handle(page, 'a').focus()
  for (const [key, order] of [
    ['ArrowDown', ['b', 'a', 'c']],
    ['ArrowDown', ['b', 'c', 'a']],
    ['Home', ['a', 'b', 'c']],
    ['End', ['b', 'c', 'a']],
    ['ArrowUp', ['b', 'a', 'c']],
  ] as const) {
    const answer = placed(page)
    await page.keyboard.press(key)
    await answer
    expect(await shown(page)).toEqual(order)
    expect(await stored()).toEqual(order)
  }
  expect(await handle(page, 'a').evaluate(element => element === document.activeElement)).toBe(true)
  expect(await page.locator('#moved').textContent()).toBe('Moved to place 2.')
})

it('a row of a later page moves to the top of the playlist, and above the row before it', async () => {
  const ids = Array.from({ length: 102 }, (_, nth) => `v${nth}`)
  const alice = await personWith(site.sql, 'alice', 'kitchen', ids)
  const { playlist_id } = await alice.library.playlists.create('Weekend')
  await alice.library.playlists.addVideos(playlist_id, ids)
  const { next_cursor } = await alice.library.playlists.videos(playlist_id, { limit: 100 })
  const { page } = await site.open(alice)

  for (const [video_id, name, place] of [
    ['v100', 'Move up', 99],
    ['v101', 'Move to the top', 0],
  ] as const) {
    await page.goto(`/playlists/${playlist_id}?cursor=${next_cursor}`)
    await handle(page, video_id).click()
    const answer = placed(page)
    await page.locator(`.row[data-video=${video_id}]`).getByRole('button', { name }).click()
    await answer
    expect((await alice.library.playlists.videoIds(playlist_id)).indexOf(video_id)).toBe(place)
  }
})

it.each([true, false])('the menu of a row moves it and takes it out, with JavaScript: %s', async javaScriptEnabled => {
  const { page, stored } = await opened({ javaScriptEnabled })
  await handle(page, 'c').click()
  const answer = placed(page)
  await page.locator('.row[data-video=c]').getByRole('button', { name: 'Move up' }).click()
  await answer
  await expect.poll(() => shown(page)).toEqual(['a', 'c', 'b'])
  expect(await stored()).toEqual(['a', 'c', 'b'])

  await handle(page, 'a').click()
  await page.locator('.row[data-video=a]').getByRole('button', { name: 'Remove from playlist' }).click()
  await page.getByText('Removed from').waitFor()
  expect(await shown(page)).toEqual(['c', 'b'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.locator('.row[data-video=a]').waitFor()
  expect(await shown(page)).toEqual(['a', 'c', 'b'])
  expect(await stored()).toEqual(['a', 'c', 'b'])
})

it('a finger finds in the menu of a video what moves it and takes it out', async () => {
  const { page, stored } = await opened(phone)
  const row = page.locator('.row[data-video=c]')
  expect(await handle(page, 'c').isVisible()).toBe(false)
  await row.locator('.more-acts > summary').click()
  await row.getByText('Move…').click()
  const answer = placed(page)
  await row.getByRole('button', { name: 'Move to the top' }).click()
  await answer
  expect(await shown(page)).toEqual(['c', 'a', 'b'])
  expect(await page.locator('details.menu[open]').count()).toBe(0)

  await row.locator('.more-acts > summary').click()
  await row.getByRole('button', { name: 'Remove from playlist' }).click()
  await page.getByText('Removed from').waitFor()
  expect(await shown(page)).toEqual(['a', 'b'])
  expect(await stored()).toEqual(['a', 'b'])
})

it.each(['pressed', 'held'] as const)(
  'an item of a menu that is %s while its list is fetched anew works',
  async how => {
    const { page, stored } = await opened(phone)
    const row = page.locator('.row[data-video=c]')
    const menu = row.locator('.more-acts > summary')
    await menu.click()
    await row.getByText('Move…').waitFor()
    await page.keyboard.press('Escape')
    const { promise: may_arrive, resolve: arrive } = Promise.withResolvers<void>()
    const { promise: may_end, resolve: end } = Promise.withResolvers<void>()
    await page.route('**/menu*', async route => {
      await may_arrive
      await route.continue()
    })
    await page.route('**/remove', async route => {
      await may_end
      await route.continue()
    })
    const listed = page.waitForResponse(/menu/)
    await menu.click()
    await row.getByRole('button', { name: 'Remove from playlist' }).hover()
    await page.mouse.down()
    if (how === 'pressed') await Promise.all([page.waitForRequest(/remove$/), page.mouse.up()])
    arrive()
    await listed
    await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))))
    if (how === 'held') await page.mouse.up()
    end()
    await page.getByText('Removed from').waitFor()
    expect(await stored()).toEqual(['a', 'b'])
  },
)

it.each([true, false])(
  'selected videos are taken out together and put back, with JavaScript: %s',
  async javaScriptEnabled => {
    const { page, faults, stored } = await opened({ javaScriptEnabled })
    await page.locator('summary[aria-label="Actions for this playlist"]').click()
    await page.getByRole('link', { name: 'Select videos' }).click()
    for (const id of ['a', 'c']) await page.locator(`.row[data-video=${id}] .choose`).click()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByText('2 videos removed from').waitFor()
    expect(await shown(page)).toEqual(['b'])
    expect(await stored()).toEqual(['b'])
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('2 videos put back.').waitFor()
    expect(await shown(page)).toEqual(['a', 'b', 'c'])
    expect(await stored()).toEqual(['a', 'b', 'c'])
    expect(faults).toEqual([])
  },
)

it('a video is added by its menu to a new playlist, and taken out by Undo', async () => {
  const { alice, page, faults } = await opened()
  await page.goto('/')
  await page.locator('.video:has(#title-b)').hover()
  await page.locator('.video:has(#title-b) .more-acts > summary').click()
  await page.getByRole('link', { name: 'Add to playlist…' }).click()
  await page.getByRole('button', { name: 'Weekend', pressed: true }).locator('.icon').waitFor()
  await page.getByRole('textbox', { name: 'Name of a new playlist' }).fill('Late')
  await page.keyboard.press('Enter')
  await page.getByText('Added to').waitFor()
  const listed = async () => (await alice.library.playlists.list()).map(({ name, videos }) => [name, videos])
  expect(await listed()).toEqual([
    ['Late', 1],
    ['Weekend', 3],
  ])
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('removed again').waitFor()
  expect(await listed()).toContainEqual(['Late', 0])
  expect(faults).toEqual([])
})
