/** Checks in a browser that the style sheets place elements next to each other without overlap. */
import { expect, it } from 'vitest'
import { joinSheets } from '../../src/routes/http/assets.ts'
import { FoundPage } from '../../src/views/channels/new-channel-page.tsx'
import { DownloadCell } from '../../src/views/downloads/download-cell.tsx'
import { page as context, now, states, video } from '../support/app/samples.ts'
import { addFacts, scene } from '../support/app/scene.ts'
import { desktop, narrow, phone, pointAt, useSite } from '../support/browser/site.ts'

const site = useSite()

const waiting = { ...states.waiting, queue_position: 2 }
const places = [
  ['card', 1200],
  ['row', 1200],
  ['row', 600],
] as const

it.each(places)('the place in the queue is left of the buttons, in a %s %i pixels wide', async (where, width) => {
  const { page } = await site.open(undefined, { viewport: { width, height: 400 } })
  const cell = String(<DownloadCell download={waiting} now={now} />)
  await page.setContent(`<style>${await joinSheets()}</style><main><div class="${where}">${cell}</div></main>`)
  const [words, button] = await Promise.all(
    ['.figures', 'button'].map(part => page.locator(`.cell ${part}`).first().boundingBox()),
  )
  expect((words?.x ?? 0) + (words?.width ?? 0)).toBeLessThanOrEqual(button?.x ?? 0)
})

it.each([1440, 390])('the cause of a failure is told whole but in a card, at %i px', async width => {
  const { page } = await site.open(await scene(site.sql, site.folder), { viewport: { width, height: 844 } })
  for (const path of ['/watch/failed', '/watch/retrying', '/channels/kitchen?view=list']) {
    await page.goto(path)
    const causes = page.locator(':is(.facts, .of-videos > .row) > .cell:has(> .why) > .words > *')
    const cut = await causes.evaluateAll(all => all.filter(one => one.scrollWidth > one.clientWidth + 1).length)
    expect([path, (await causes.count()) > 0, cut]).toEqual([path, true, 0])
  }
})

it('the newest videos of a channel that was found are side by side', async () => {
  const { page } = await site.open(undefined, desktop)
  const found = {
    kind: 'channel',
    title: 'Slow Kitchen',
    rss_url: 'https://videos.example/',
    entries: 3,
    newest_at: now,
  } as const
  const newest = [video(), video(), video()]
  const html = String(<FoundPage page={context()} url="slow" found={[found]} followed={undefined} newest={newest} />)
  await page.setContent(`<style>${await joinSheets()}</style>${html}`)
  const lines = await page
    .getByRole('list', { name: 'Newest videos' })
    .locator('.thumbnail')
    .evaluateAll(all => all.map(one => one.getBoundingClientRect().top))
  expect([lines.length, new Set(lines).size]).toEqual([3, 1])
})

it('a fault beside words is in their line, and one over the picture of the player is above all of it', async () => {
  const { page } = await site.open()
  const fault = (name: string) => `<div class="fault" data-name="${name}">Not updating <time>since 4:38</time>.</div>`
  await page.setContent(`<style>${await joinSheets()}</style>${fault('words')}
    <div class="stage"><video class="player"></video><span class="big-play">Play</span>${fault('player')}</div>`)
  const styles = await page.locator('.fault').evaluateAll(all => all.map(one => getComputedStyle(one).display))
  expect(styles).toEqual(['block', 'grid'])
  expect(await page.locator('.big-play').isVisible()).toBe(false)
})

it('a phone is as wide as the page of a group and the tools of a channel that is not followed', async () => {
  const alice = await scene(site.sql)
  const title = 'Donaudampfschifffahrtsgesellschaftsmuseum'
  await alice.library.channels.save({ channel_id: 'long', title, rss_url: 'https://videos.example/long' }, [])
  const { group_id } = await alice.library.groups.create('Evenings')
  const { page } = await site.openAt(`/groups/${group_id}`, alice, phone)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)

  await page.goto('/channels/films')
  const tops = await page
    .locator('.of-channel .actions > :not(form)')
    .evaluateAll(all => all.map(one => one.getBoundingClientRect().top))
  expect(new Set(tops).size).toBe(1)
})

it.each([720, 1440])('the tip of a button on the page of a video is just below it, %i pixels wide', async width => {
  const { page } = await site.openAt('/watch/done-1', await scene(site.sql, site.folder), {
    viewport: { width, height: 900 },
  })
  for (const name of ['Watch later', 'Mark as watched']) {
    const button = page.locator('.quick').getByRole('button', { name })
    await pointAt(button)
    const [at, tip] = await Promise.all([button, button.locator('.say')].map(one => one.boundingBox()))
    expect(Math.round((tip?.y ?? 0) - (at?.y ?? 0) - (at?.height ?? 0))).toBeOneOf([4, 5])
    expect((tip?.x ?? 0) + (tip?.width ?? 0)).toBeCloseTo((at?.x ?? 0) + (at?.width ?? 0), 0)
  }
})

it('a day whose videos have left the page has no heading', async () => {
  const { page } = await site.open()
  const day = (name: string) => `<h2 class="day">${name}</h2>`
  const days = (inside: string) => `<section class="day-rows">${day('H')}<ul class="rows">${inside}</ul></section>`
  await page.setContent(`<style>${await joinSheets()}</style>
    <div class="grid">${day('A')}${day('B')}<div class="video">B</div>${day('C')}</div>${days('')}${days('<li>H</li>')}`)
  expect(await page.locator('.day').evaluateAll(all => all.map(one => one.checkVisibility()))).toEqual([
    ...[false, true, false],
    ...[false, true],
  ])
})

it('on a phone, the name and the actions of New are in one line, close above the first picture', async () => {
  const alice = await scene(site.sql)
  await alice.library.new_page.recordLook({ looked_at: new Date(0), new_since: new Date(0) })
  const { page } = await site.openAt('/', alice, narrow)
  const middles = await page
    .locator('.news-head > *')
    .evaluateAll(all => all.map(one => one.getBoundingClientRect()).map(({ top, height }) => top + height / 2))
  expect(middles.length).toBe(3)
  expect(Math.max(...middles) - Math.min(...middles)).toBeLessThan(4)
  expect((await page.locator('#videos .thumbnail').first().boundingBox())?.y).toBeLessThanOrEqual(175)
})

it('words in wide letters stay inside their card, and clear of its buttons', async () => {
  const alice = await scene(site.sql, site.folder)
  await addFacts(alice, site.folder)
  const { page } = await site.open(alice)
  for (const path of ['/', '/channels/facts?view=grid', '/watch/done-1', '/watch/fact-long']) {
    await page.goto(path)
    for (const width of [360, 390, 768, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      const { cards, faults } = await page.evaluate(crowded)
      expect.soft(cards, `cards on ${path}`).toBeGreaterThan(0)
      expect.soft(faults, `${path} at ${width} px`).toEqual([])
    }
  }
})

/** Runs in the page: words of cards that are shown outside of their card, or over a button beside them. */
function crowded() {
  document.body.style.letterSpacing = '0.06em'
  const shown = (element: Element) => element.getClientRects().length > 0 && !element.closest('.spoken, .panel')
  const boxOf = (element: Element) => element.getBoundingClientRect()
  const overlap = (a: DOMRect, b: DOMRect) =>
    a.right > b.left + 1 && a.left < b.right && a.bottom > b.top && a.top < b.bottom
  const cards = [...document.querySelectorAll('.video')]
  const faults = cards.flatMap(card => {
    const { left, right } = boxOf(card)
    const buttons = [...card.querySelectorAll('.cell > :is(.cancel, .why)')].filter(shown).map(boxOf)
    const words = [...card.querySelectorAll('.words > *, .line > *, .line time')].filter(shown)
    const misplaced = (box: DOMRect) =>
      box.left < left - 1 || box.right > right + 1 || buttons.some(button => overlap(box, button))
    return words.filter(element => misplaced(boxOf(element))).map(({ outerHTML }) => outerHTML.slice(0, 120))
  })
  return { cards: cards.length, faults }
}
