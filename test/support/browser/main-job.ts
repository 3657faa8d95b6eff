/** In a browser: the steps of a new person, up to the videos of a channel. */
import type { BrowserContextOptions, Page } from 'playwright-core'
import { password } from '../app/sign-in.ts'
import type { useBrowser } from './browser.ts'

/** A page of this service that records its errors. */
export async function recordedPage(
  browser: ReturnType<typeof useBrowser>,
  baseURL: string,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; faults: string[] }> {
  const page = await browser.newPage({ baseURL, ...options })
  const faults: string[] = []
  page.on('pageerror', fault => faults.push(String(fault)))
  page.on('console', message => message.type() === 'error' && faults.push(message.text()))
  return { page, faults }
}

export async function signUp(page: Page, username: string): Promise<void> {
  await page.goto('/channels')
  await page.getByRole('link', { name: 'Create account' }).first().click()
  await createAccount(page, username)
  await page.getByText(`Welcome, ${username}.`).waitFor()
}

/** Fills in and sends the form of a new account, which the page shows. */
export async function createAccount(page: Page, username: string): Promise<void> {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Password again').fill(password)
  await page.getByRole('button', { name: 'Create account' }).click()
}

export async function followByForm(page: Page, address: string): Promise<void> {
  await page.getByLabel('Channel, playlist').fill(address)
  await page.getByRole('button', { name: 'Follow', exact: true }).click()
  await page.getByText('Following Slow Kitchen.').waitFor()
}
