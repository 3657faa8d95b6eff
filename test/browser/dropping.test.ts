/** In a browser: a file that is dropped on any page is imported. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { follows, person } from '../support/app/people.ts'
import { useSite } from '../support/browser/site.ts'

const site = useSite()
const opml = '<opml version="2.0"><body><outline text="A" xmlUrl="https://videos.example/a.xml"/></body></opml>'

/** Drags a file over the page, and drops it there. */
async function drags(page: Page, text: string, end: 'drop' | 'dragleave'): Promise<void> {
  const data = await page.evaluateHandle(text => {
    const transfer = new DataTransfer()
    transfer.items.add(new File([text], 'subscriptions.opml', { type: 'text/x-opml' }))
    return transfer
  }, text)
  await page.dispatchEvent('main', 'dragover', { dataTransfer: data })
  await page.getByText('Drop the file to import it').waitFor()
  await page.dispatchEvent('main', end, { dataTransfer: data })
}

it('a file that is dropped on any page is imported', async () => {
  const alice = await person(site.sql, 'alice')
  await follows(alice, 'kitchen', ['v'])
  const { page, faults } = await site.openAt('/channels/kitchen', alice)

  await drags(page, opml, 'drop')

  await page.waitForURL('**/import/*')
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('OPML list')
  expect(await alice.library.imports.list()).toMatchObject([{ kind: 'opml', total: 1 }])
  expect(faults).toEqual([])
})

it('a file that leaves the window, or is too large, is not imported', async () => {
  const alice = await person(site.sql, 'alice')
  const { page } = await site.openAt('/', alice)

  await drags(page, opml, 'dragleave')
  await page.getByText('Drop the file to import it').waitFor({ state: 'hidden' })

  await page.locator('#drop').evaluate(drop => drop.setAttribute('data-most-bytes', '10'))
  await drags(page, opml, 'drop')
  await page.locator('#drop .fault').waitFor()
  expect(await alice.library.imports.list()).toEqual([])
})

it('a person who is signed out can drop nothing', async () => {
  const { page } = await site.openAt('/login')
  expect(await page.locator('#drop').count()).toBe(0)
})

it('only an archive offers to download its files again', async () => {
  const { page } = await site.openAt('/import', await person(site.sql, 'alice'))
  const again = page.getByLabel('Also download the files again')
  const choose = (name: string, text: string) =>
    page.locator('#file').setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) })

  await choose('mine.json', '{"format":"backlot-archive","version":1}')
  await again.waitFor()
  await choose('list.opml', opml)
  await expect.poll(() => again.isVisible()).toBe(false)
})
