/** Uses the service in a real browser, with JavaScript and without; `main-job.test.ts` has the path of a new person. */
import type { BrowserContextOptions } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { useDatabase } from '../support/app/database.ts'
import { password } from '../support/app/sign-in.ts'
import { useBrowser } from '../support/browser/browser.ts'
import { followByForm, signUp } from '../support/browser/main-job.ts'
import { publishFeed } from '../support/process/journey.ts'
import { useService } from '../support/process/service.ts'

const service = useService(useDatabase(), { has_worker: true })
const browser = useBrowser()

const open = (options: BrowserContextOptions = {}) => browser.newPage({ baseURL: service.web.url, ...options })

describe('with JavaScript', () => {
  it('a downloaded file is saved under the title of its video', async () => {
    const page = await open()
    await signUp(page, 'saver')
    await followByForm(page, publishFeed(service.media, { 'Crème brûlée': '/plain.mp4?c' }, '/saver.xml'))
    await page.getByRole('button', { name: 'Download', exact: true }).first().click()
    await page.locator('.cell.completed').first().waitFor({ state: 'attached', timeout: 60_000 })
    await page.getByLabel('More actions').first().click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Save to this device' }).first().click(),
    ])
    expect(download.suggestedFilename()).toBe('Crème brûlée.mp4')
  })

  it('a running download can be cancelled, and a failed one says why it failed', async () => {
    const page = await open()
    await signUp(page, 'canceller')
    await followByForm(page, publishFeed(service.media, { Endless: '/plain.mp4?drip=3000' }, '/cancel.xml'))
    await page.getByRole('button', { name: 'Download', exact: true }).click()
    await page.locator('progress').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Download', exact: true }).waitFor()

    await page.goto('/channels')
    await followByForm(page, publishFeed(service.media, { Gone: '/gone' }, '/gone.xml'))
    await page.getByRole('button', { name: 'Download', exact: true }).click()
    await page.getByText('Why?').click({ timeout: 60_000 })
    await page.getByRole('button', { name: /^Retry/ }).waitFor()
    expect(await page.locator('main').textContent()).toContain('this video does not exist')
  })
})

describe('without JavaScript', () => {
  it('without JavaScript, forms and links alone lead from an account to a video', async () => {
    const page = await open({ javaScriptEnabled: false })
    await signUp(page, 'scriptless')
    await followByForm(page, publishFeed(service.media, { 'How to bake': '/plain.mp4?d' }, '/without.xml'))
    await page.getByRole('button', { name: 'Download', exact: true }).click()
    await expect
      .poll(
        async () => {
          await page.reload()
          return page.locator('.cell.completed').count()
        },
        { timeout: 60_000, interval: 300 },
      )
      .toBeGreaterThan(0)
    await page.getByRole('link', { name: 'How to bake' }).first().click()
    expect(await page.locator('video').getAttribute('src')).toMatch(/^\/stream\//)
    await page.getByText('scriptless').first().click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('Signed out.').waitFor()
  })
})

describe('signing in', () => {
  it('signing in leads back to the page that was first requested', async () => {
    const page = await open()
    await signUp(page, 'returning')
    await page.context().clearCookies()
    await page.goto('/downloads')
    await page.getByLabel('Username').fill('returning')
    await page.getByLabel('Password').fill(password)
    await page.getByLabel('Keep me signed in').check()
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL('**/downloads')
    const cookies = await page.context().cookies()
    expect(cookies.find(({ name }) => name === 'session')?.expires).toBeGreaterThan(Date.now() / 1000 + 29 * 86_400)
  })
})
