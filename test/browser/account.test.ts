/** Settings and the account in a browser, with a script and without. */
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { newcomer, password, signInAgain } from '../support/app/sign-in.ts'
import { useSite } from '../support/browser/site.ts'

const app = useSite()

async function open(username: string, javaScriptEnabled: boolean): Promise<Page> {
  const { headers } = await newcomer(app, username)
  const { page } = await app.open(headers, { javaScriptEnabled, viewport: { width: 390, height: 800 } })
  await page.goto('/settings')
  return page
}

describe.each([
  ['with a script', true],
  ['without a script', false],
])('an account, %s', (_, javascript) => {
  it('a person changes the password, makes and revokes a token, signs out elsewhere, and deletes the account', async () => {
    const username = `browsing-${javascript}`
    const page = await open(username, javascript)
    // Somebody who stays: without any account, the end of the test would lead to Create account.
    await newcomer(app, `staying-${javascript}`)
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Account' }).click()
    await signInAgain(app, username)

    await page.getByLabel('Current password').fill('not the password')
    await page.getByLabel('New password', { exact: true }).fill('quite another phrase')
    await page.getByLabel('New password again').fill('quite another phrase')
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('Wrong password.').waitFor()
    expect(await page.getByLabel('Current password').getAttribute('aria-invalid')).toBe('true')

    await page.getByLabel('Current password').fill(password)
    await page.getByLabel('New password', { exact: true }).fill('quite another phrase')
    await page.getByLabel('New password again').fill('quite another phrase')
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByRole('status').getByText('Your other devices are signed out.').waitFor()
    expect(await page.getByRole('button', { name: /^Sign out on/ }).count()).toBe(1)

    await page.getByRole('link', { name: 'API tokens' }).click()
    await page.getByLabel('Name').fill('phone')
    await page.getByLabel('Permission').selectOption('write')
    await page.getByRole('button', { name: 'Create token' }).click()
    const secret = await page.getByLabel('Token', { exact: true }).inputValue()
    expect(secret).toMatch(/^backlot_[0-9a-f]{64}$/)
    const headers = { authorization: `Bearer ${secret}` }
    expect((await app.ask('/api/account', { headers })).status).toBe(200)
    await page.getByLabel('Revoke phone').click()
    await page.getByRole('button', { name: 'Revoke', exact: true }).click()
    await page.getByText('Apps using it stop working').waitFor()
    expect((await app.ask('/api/account', { headers })).status).toBe(401)

    await page.getByRole('link', { name: 'Account' }).click()
    await page.getByRole('link', { name: 'Delete account' }).click()
    await page.getByLabel('Password', { exact: true }).fill('quite another phrase')
    await page.getByRole('button', { name: 'Delete account and files' }).click()
    await page.getByText('Your account and everything in it is deleted.').waitFor()
    expect(new URL(page.url()).pathname).toBe('/login')
    expect((await app.sql`select from users where username = ${username}`).count).toBe(0)
  })
})
