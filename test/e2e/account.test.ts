/** Settings and the account in a browser, with a script and without. */

import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type Server, serve } from '../../src/runtime.ts'
import { useApp } from '../support/app.ts'
import { openBrowser } from '../support/browser.ts'
import { newcomer, password, signInAgain } from '../support/sign-in.ts'

const app = useApp()
let server: Server
let browser: Browser

beforeAll(async () => {
  server = await serve((request, connection) => app.app.fetch(request, connection), '127.0.0.1', 0)
  if (inject('machine').chromium) browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await server.close()
})

async function open(username: string, javaScriptEnabled: boolean): Promise<Page> {
  const { headers } = await newcomer(app, username)
  const context = await browser.newContext({ javaScriptEnabled, viewport: { width: 390, height: 800 } })
  context.setDefaultTimeout(10_000)
  await context.addCookies([{ name: 'session', value: headers.cookie.split('=')[1] ?? '', url: server.url }])
  const page = await context.newPage()
  await page.goto(`${server.url}/settings`)
  return page
}

describe.skipIf(!inject('machine').chromium).each([
  ['with a script', true],
  ['without one', false],
])('an account, %s', (_, javascript) => {
  it('changes its password, makes and revokes a token, signs out elsewhere, and ends', async () => {
    const username = `browsing-${javascript}`
    const page = await open(username, javascript)
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Account' }).click()
    await signInAgain(app, username)

    await page.getByLabel('Current password').fill('not the password')
    await page.getByLabel('New password', { exact: true }).fill('quite another phrase')
    await page.getByLabel('New password again').fill('quite another phrase')
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('This is not your password.').waitFor()
    expect(await page.getByLabel('Current password').getAttribute('aria-invalid')).toBe('true')

    await page.getByLabel('Current password').fill(password)
    await page.getByLabel('New password', { exact: true }).fill('quite another phrase')
    await page.getByLabel('New password again').fill('quite another phrase')
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByRole('status').getByText('You are signed out everywhere else.').waitFor()
    expect(await page.getByRole('button', { name: /^Sign out (here|unknown|Chrome)/ }).count()).toBe(1)

    await page.getByRole('link', { name: 'API tokens' }).click()
    await page.getByLabel('Name').fill('phone')
    await page.getByLabel('What it may do').selectOption('write')
    await page.getByRole('button', { name: 'Make token' }).click()
    const secret = await page.getByLabel('Token', { exact: true }).inputValue()
    expect(secret).toMatch(/^backlot_[0-9a-f]{64}$/)
    const headers = { authorization: `Bearer ${secret}` }
    expect((await fetch(`${server.url}/api/account`, { headers })).status).toBe(200)
    await page.getByRole('button', { name: 'Revoke phone' }).click()
    await page.getByText('Whatever used it is shut out').waitFor()
    expect((await fetch(`${server.url}/api/account`, { headers })).status).toBe(401)

    await page.getByRole('link', { name: 'Account' }).click()
    await page.getByRole('link', { name: 'Delete this account' }).click()
    await page.getByLabel('Your password').fill('quite another phrase')
    await page.getByRole('button', { name: 'Delete account and files' }).click()
    await page.getByText('Your account is gone, with everything in it.').waitFor()
    expect(new URL(page.url()).pathname).toBe('/login')
    expect((await app.sql`select from users where username = ${username}`).count).toBe(0)
  }, 60_000)
})
