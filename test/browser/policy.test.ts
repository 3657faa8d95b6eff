/** In a browser: the content security policy. `every-page.ts` looks for violations on each page. */
import { expect, it } from 'vitest'
import { personWith } from '../support/app/people.ts'
import { recordViolations, violations } from '../support/browser/every-page.ts'
import { useSite } from '../support/browser/site.ts'

const site = useSite()

it('a violation of the content security policy is noticed', async () => {
  const { page } = await site.open()
  await page.addInitScript(`(${recordViolations})()`)
  await page.goto('/login')
  await page.evaluate(() => {
    const script = document.createElement('script')
    script.textContent = 'document.title = "run"'
    document.body.append(script)
  })
  await expect
    .poll(() => page.evaluate(violations))
    .toEqual([expect.stringMatching(/^script-src-elem stopped inline /)])
  expect(await page.title()).not.toBe('run')
})

it('the page about the API sends requests as the person who is signed in', async () => {
  const { page } = await site.openAt('/api/docs', await personWith(site.sql, 'alice', 'c', []))
  await page.locator('#operations-channels-get_channels .opblock-summary-control').click()
  await page.getByRole('button', { name: 'Try it out' }).click()
  await page.getByRole('button', { name: 'Execute' }).click()
  await expect
    .poll(() => page.locator('.live-responses-table').allTextContents())
    .toContainEqual(expect.stringContaining('Channel c'))
})
