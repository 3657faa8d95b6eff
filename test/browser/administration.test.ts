/** The administration played through in a browser: from an invitation to the end of the account. */
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { administrator } from '../support/app/people.ts'
import { password } from '../support/app/sign-in.ts'
import { createAccount } from '../support/browser/main-job.ts'
import { desktop, phone, useSite } from '../support/browser/site.ts'

const site = useSite()

const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Administration' }).getByRole('link', { name }).click()

/** A newcomer creates an account by the link of an invitation, in a browser of their own. */
async function register(link: string, username: string): Promise<Page> {
  const { page } = await site.openAt(link)
  await createAccount(page, username)
  await page.getByRole('heading', { name: 'New', exact: true }).waitFor()
  return page
}

/** A phone has the username in the menu as its first letter. */
const openMenu = (page: Page) => page.locator('.user > summary').click()

describe.each([
  ['on a phone', phone],
  ['on a desktop', desktop],
  ['without a script', { viewport: { width: 1440, height: 900 }, javaScriptEnabled: false }],
])('the administration, %s', (where, options) => {
  const username = `new.${where.replaceAll(' ', '-')}`

  it('an administrator invites a person, changes, locks and unlocks them, gives them the role, and deletes them', async () => {
    const { page, faults } = await site.openAt('/', await administrator(site.sql, 'admin'), options)
    await openMenu(page)
    await page.getByRole('link', { name: 'Administration' }).click()

    await tab(page, 'Invitations')
    await page.getByLabel('Note').fill('For the test')
    await page.getByRole('button', { name: 'Create invitation' }).click()
    const link = await page.getByLabel('Link', { exact: true }).inputValue()
    const theirs = await register(link, username)
    await tab(page, 'Invitations')
    expect(await page.getByText('For the test').count()).toBe(0)

    await tab(page, 'People')
    await page.getByRole('link', { name: username }).click()
    await page.getByLabel('Quota in GB').fill('20')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('0 bytes of 20 GB').waitFor()

    await page.getByRole('button', { name: 'Lock', exact: true }).click()
    await page.getByText(`${username} is locked.`).waitFor()
    await theirs.goto('/downloads')
    await theirs.getByRole('heading', { name: 'Sign in' }).waitFor()

    await page.getByRole('button', { name: 'Unlock' }).click()
    await page.getByText(`${username} can sign in again.`).waitFor()
    await theirs.getByLabel('Username').fill(username)
    await theirs.getByLabel('Password', { exact: true }).fill(password)
    await theirs.getByRole('button', { name: 'Sign in', exact: true }).click()
    await theirs.getByRole('heading', { name: 'Downloads' }).waitFor()

    await page.getByRole('button', { name: 'Make administrator' }).click()
    await page.getByText(`${username} is an administrator now.`).waitFor()
    await theirs.goto('/admin')
    await theirs.getByText('You · Administrator').waitFor()

    await page.locator('summary', { hasText: 'Delete account…' }).click()
    await page.getByRole('button', { name: 'Delete account and files' }).click()
    await page.getByText(`Deleted the account ${username} and its files.`).waitFor()
    expect(await page.getByRole('link', { name: username }).count()).toBe(0)
    await theirs.goto('/admin')
    await theirs.waitForURL(/\/login/)

    await tab(page, 'Log')
    for (const said of ['deleted the account', 'made', 'unlocked', 'locked', 'set the quota of', 'created an account'])
      expect(
        await page
          .getByText(new RegExp(`${said}.*`))
          .filter({ hasText: username })
          .count(),
      ).toBeGreaterThan(0)
    expect(faults).toEqual([])
  })
})
