/** In a browser: opens every page of the list. */
import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'
import { administration } from '../app/administration.ts'
import { type About, pages } from '../app/pages.ts'
import { type Person, person } from '../app/people.ts'
import { addFacts, addOpenedByName, scene } from '../app/scene.ts'
import type { useSite } from './site.ts'

/**
 * Opens these pages in turn, each as the person who may open it. `script` runs in each page before its own scripts. `look` also gets what
 * went wrong while the page was opened: errors of scripts, and requests to other hosts.
 */
export async function onEachPage(
  site: ReturnType<typeof useSite>,
  about: About,
  { script, ...options }: BrowserContextOptions & { script?: string },
  look: (page: Page, name: string, faults: () => string[]) => Promise<void>,
): Promise<void> {
  const [alice, newcomer] = [await scene(site.sql, site.folder), await person(site.sql, 'newcomer')]
  await addFacts(alice, site.folder)
  await addOpenedByName(site.sql, alice)
  const open = async (who?: Person) => {
    const { page, faults } = await site.open(who, options)
    if (script) await page.addInitScript(script)
    page.on('request', request => {
      const { origin, protocol } = new URL(request.url())
      if (origin !== site.origin() && protocol !== 'data:') faults.push(`asks ${request.url()}`)
    })
    return { page, faults }
  }
  const admin = about === 'administration' ? await administration(site.sql) : undefined
  const [hers, empty, signed_out, administrators] = await Promise.all([
    open(alice),
    open(newcomer),
    open(),
    open(admin),
  ])
  for (const { path, status = 200, ...as } of pages[about]) {
    const opened = as.signed_out ? signed_out : as.no_channels ? empty : as.as_administrator ? administrators : hers
    const { page, faults } = opened
    const answer = await page.goto(path)
    // A page that leads elsewhere would be another page.
    expect([answer?.status(), new URL(page.url()).pathname]).toEqual([status, path.replace(/\?.*/, '')])
    if (path === '/api/docs') await page.locator('.opblock').last().waitFor({ timeout: 60_000 })
    await look(page, as.no_channels ? `${path} with nothing yet` : path, () =>
      faults.splice(0).filter(fault => !fault.includes(`with a status of ${status} `)),
    )
  }
}
