/** Checks in a browser that the style sheets place elements next to each other without overlap. */
import { expect, it } from 'vitest'
import { joinSheets } from '../../src/routes/files/stylesheet.ts'
import { DownloadCell } from '../../src/views/parts/download-cell.tsx'
import { now, states } from '../support/app/samples.ts'
import { scene } from '../support/app/scene.ts'
import { useSite } from '../support/browser/site.ts'

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

it('on a phone, the actions of New are in one line', async () => {
  const { page } = await site.open(await scene(site.sql), { viewport: { width: 390, height: 844 } })
  await page.goto('/')
  const tops = await page
    .locator('.news-actions > *')
    .evaluateAll(all => all.map(one => one.getBoundingClientRect().top))
  expect(tops.length).toBeGreaterThan(3)
  expect(new Set(tops).size).toBe(1)
})
