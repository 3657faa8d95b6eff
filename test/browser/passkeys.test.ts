/** In a browser with a virtual device that keeps passkeys: adding, signing in by one, and what a person is told when it fails. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { newcomer, password } from '../support/app/sign-in.ts'
import { useSite } from '../support/browser/site.ts'

const site = useSite()

/** Gives the page a device that knows its person and holds passkeys, as a phone or a laptop does. */
async function withDevice(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable', { enableUI: false })
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  } as const
  const add = async () => (await session.send('WebAuthn.addVirtualAuthenticator', { options })).authenticatorId
  return { session, add, authenticatorId: await add() }
}

async function addPasskey(page: Page, name: string, current_password = password): Promise<void> {
  await page.locator('summary', { hasText: 'Add a passkey' }).click()
  await page.locator('#passkey-name').fill(name)
  await page.locator('#passkey-password').fill(current_password)
  await page.getByRole('button', { name: 'Add passkey' }).click()
}

it.each([
  ['a phone', 390],
  ['a desktop', 1280],
])('on %s a person adds two passkeys, signs in by one without typing, and removes one', async (device, width) => {
  const { username, headers } = await newcomer(site, `keys-on-${device.replaceAll(' ', '-')}`)
  const { page, faults } = await site.open(headers, { viewport: { width, height: 800 } })
  const { session, add, authenticatorId } = await withDevice(page)
  await page.goto('/settings/account')
  await addPasskey(page, 'laptop')
  await page.getByText('Passkey “laptop” added.').waitFor()

  await addPasskey(page, 'laptop again')
  await page.getByText('already has a passkey of your account').waitFor()
  await session.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
  const other = await add()
  await page.getByRole('button', { name: 'Add passkey' }).click()
  await page.getByText('Passkey “laptop again” added.').waitFor()
  await page.getByLabel('Rename laptop again').click()
  await page.locator('details[open]').getByLabel('Name', { exact: true }).fill('key')
  await page.locator('details[open]').getByRole('button', { name: 'Rename' }).click()
  await page.getByText('Passkey renamed.').waitFor()

  await page.context().clearCookies()
  await page.goto('/login?next=/downloads')
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await page.waitForURL('**/downloads')
  await page.getByText(`Signed in as ${username}.`).waitFor()
  const [remembered] = (await page.context().cookies()).filter(({ name }) => name === 'session')
  expect(remembered?.expires).toBeGreaterThan(Date.now() / 1000 + 29 * 24 * 3600)

  await page.goto('/settings/account')
  await page.getByLabel('Remove key').click()
  await page.locator('details[open]').getByRole('button', { name: 'Remove' }).click()
  await page.getByText('Passkey removed.').waitFor()
  expect(await page.getByLabel(/^Rename /).count()).toBe(1)

  await page.context().clearCookies()
  await page.goto('/login')
  await page.getByRole('checkbox').uncheck()
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await page.getByText('This passkey was not accepted.').waitFor()
  expect(await page.getByRole('checkbox').isChecked()).toBe(false)
  await session.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId: other })
  expect(faults.filter(fault => !/401/.test(fault))).toEqual([])
})

it('a person is told that the password is wrong, or that no passkey was used', async () => {
  const { headers } = await newcomer(site, 'keyless')
  const { page } = await site.open(headers)
  const { session, authenticatorId } = await withDevice(page)
  await page.goto('/settings/account')
  await addPasskey(page, 'laptop', 'not the password')
  await page.getByText('Wrong password.').waitFor()
  await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
  await page.locator('#passkey-password').fill(password)
  await page.getByRole('button', { name: 'Add passkey' }).click()
  await page.getByText('No passkey was used').waitFor()
  await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true })
  await page.getByRole('button', { name: 'Add passkey' }).click()
  await page.getByText('Passkey “laptop” added.').waitFor()
  expect(await page.getByLabel(/^Rename /).count()).toBe(1)
})

it('a browser without passkeys says so, and one without a script too', async () => {
  const { headers } = await newcomer(site, 'plain')
  const { page } = await site.open(headers)
  await page.addInitScript(() => Reflect.deleteProperty(window, 'PublicKeyCredential'))
  await page.goto('/settings/account')
  await page.getByText('This browser has no passkeys.').waitFor()
  await page.context().clearCookies()
  await page.goto('/login')
  expect(await page.getByRole('button', { name: 'Use a passkey' }).count()).toBe(0)

  const { page: scriptless } = await site.openAt('/settings/account', headers, { javaScriptEnabled: false })
  await scriptless.getByText('Adding a passkey needs JavaScript.').waitFor()
  expect(await scriptless.getByText('Add a passkey', { exact: true }).isVisible()).toBe(false)
})
