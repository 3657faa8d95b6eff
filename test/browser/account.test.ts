/** Settings and the account in a browser, with a script and without. */
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { personWithKitchen } from '../support/app/media.ts'
import { follows, has, person } from '../support/app/people.ts'
import { newcomer, password, signInAgain } from '../support/app/sign-in.ts'
import { desktop, useSite } from '../support/browser/site.ts'

const app = useSite()

async function open(username: string, javaScriptEnabled: boolean): Promise<Page> {
  const { headers } = await newcomer(app, username)
  const { page } = await app.openAt('/settings', headers, { javaScriptEnabled, viewport: { width: 390, height: 800 } })
  return page
}

describe.each([
  ['with a script', true],
  ['without a script', false],
])('an account, %s', (_, javascript) => {
  it('a person changes the password, makes and revokes a token, signs out elsewhere, and deletes the account', async () => {
    const username = `browsing-${javascript}`
    // The first account is an administrator and stays. Without any account, the test would end on the page Create account.
    await newcomer(app, `staying-${javascript}`)
    const page = await open(username, javascript)
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Account' }).click()
    await signInAgain(app, username)

    await page.locator('summary', { hasText: 'Change password' }).click()
    await page.locator('#current_password').fill('not the password')
    await page.getByLabel('New password', { exact: true }).fill('quite another phrase')
    await page.getByLabel('New password again').fill('quite another phrase')
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('Wrong password.').waitFor()
    expect(await page.locator('#current_password').getAttribute('aria-invalid')).toBe('true')

    await page.locator('#current_password').fill(password)
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

it('a setting is saved when it changes, and found by what is typed', async () => {
  const page = await open('switching', true)
  const saved = page.waitForResponse(answer => answer.url().endsWith('/settings/skipping'))
  await page.getByText('Other parts').click()
  await page.getByLabel('Intro').check()
  await saved
  await page.getByText('Saved', { exact: true }).waitFor()
  expect(await page.getByRole('button', { name: 'Save', exact: true }).count()).toBe(0)
  await page.reload()
  await page.getByText('Other parts · 1 on').click()
  expect(await page.getByLabel('Intro').isChecked()).toBe(true)

  // A search that is not answered does not hold up the next one.
  await page.route('**/settings?q=q', () => {})
  const asked = page.waitForRequest('**/settings?q=q')
  await page.getByLabel('Find a setting').fill('q')
  await asked
  await page.getByLabel('Find a setting').fill('capt')
  await page.getByRole('link', { name: 'Search captions of all videos' }).waitFor()
  expect(await page.getByLabel('Intro').isVisible()).toBe(false)
  await page.getByLabel('Find a setting').fill('')
  await page.getByLabel('Intro').waitFor()
})

it('a new token is copied by its button', async () => {
  const page = await open('copying', true)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/settings/tokens')
  await page.getByLabel('Name').fill('phone')
  await page.getByRole('button', { name: 'Create token' }).click()
  await page.getByRole('button', { name: 'Copy' }).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  const secret = await page.getByLabel('Token', { exact: true }).inputValue()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret)
})

it('the preview of a rule follows what is typed, and nothing else shows while the rule is off', async () => {
  const alice = await person(app.sql, 'alice')
  await follows(alice, 'kitchen', ['bread-1', 'bread-2', 'soup-1'])
  await has(alice, 'soup-1', 'kitchen/soup-1.mp4', 5e6)
  await app.sql`
    update video_entries
    set    download_asked_by = 'rule', download_completed_at = now() - interval '9 days'
    where  user_id = ${alice.user.user_id} and video_id = 'soup-1'`
  const { page } = await app.openAt('/channels/kitchen/settings', alice, desktop)
  expect(await page.getByRole('radio').first().isVisible()).toBe(false)
  await page.getByLabel('Download new videos automatically').check()
  await page.getByText('All of the 3 newest fit.').waitFor()
  await page.getByLabel('Only some videos…').check()
  await page.getByLabel('Title contains any of').fill('bread')
  await page.getByText('2 of the 3 newest fit. None is new, so nothing downloads now.').waitFor()
  await page.getByLabel('Also download older videos').check()
  await page.getByText('2 of the 3 newest fit. 2 videos download now.').waitFor()
  const files = page.locator('.deletions')
  expect(await files.isVisible()).toBe(false)
  await page.getByLabel('Delete old files…').check()
  await page.getByLabel('Delete after (days)').fill('7')
  await files.getByText('1 file (5.0 MB) will be deleted.').waitFor()
  await page.getByLabel('Download new videos automatically').uncheck()
  await page.getByRole('heading', { name: 'Preview' }).waitFor({ state: 'hidden' })

  await page.goto('/channels/rules')
  await page.getByLabel('Download new videos automatically').check()
  await page.getByLabel('Channel kitchen').check()
  await page.getByText('All of the 3 newest fit.').waitFor()
  await page.getByLabel('All 1 channel').check()
  await page.getByLabel('Channel kitchen').waitFor({ state: 'hidden' })
})

it('the preview of names for media servers follows what is typed, and says there what is wrong', async () => {
  const alice = await personWithKitchen(app.sql, 'alice', ['v1'])
  const { page } = await app.openAt('/settings/media', alice, desktop)
  await page.getByLabel('Template').fill('{group}/{date} {title}')
  await page.getByText('No group/2026-11-21 Bread v1？.mp4').waitFor()
  await page.getByLabel('Template').fill('../{title}')
  await page.getByText('“..” is no name').waitFor()
  expect(await page.getByText('.mp4').count()).toBe(0)
})
