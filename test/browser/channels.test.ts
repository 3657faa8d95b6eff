/** In a browser: the list of channels, with a script and without. */
import { expect, it } from 'vitest'
import { follows, person } from '../support/app/people.ts'
import { useSite } from '../support/browser/site.ts'

const site = useSite()
const three = async () => {
  const alice = await person(site.sql, 'alice')
  for (const id of ['a', 'b', 'c']) await follows(alice, id, [`${id}1`])
  return alice
}

it.each([true, false])(
  'the switch of a channel saves at once and can be undone, with JavaScript: %s',
  async javaScriptEnabled => {
    const alice = await three()
    const { page, faults } = await site.open(alice, { javaScriptEnabled })
    const isOn = async () => (await alice.library.rules.find('b'))?.auto_download
    const auto_download = page.getByRole('switch', { name: 'Auto-download Channel b' })
    await page.goto('/channels')

    await auto_download.click()
    await page.getByText('Auto-download is on for Channel b.').first().waitFor()
    expect(await isOn()).toBe(true)
    expect(await auto_download.getAttribute('aria-checked')).toBe('true')

    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Auto-download is off for Channel b.').first().waitFor()
    expect(await isOn()).toBe(false)
    expect(await auto_download.getAttribute('aria-checked')).toBe('false')
    expect(faults).toEqual([])
  },
)

it('the focus stays on the switch that was pressed', async () => {
  const { page } = await site.openAt('/channels', await three())
  const auto_download = page.getByRole('switch', { name: 'Auto-download Channel b' })
  await auto_download.focus()
  await page.keyboard.press('Space')
  await page.getByText('Auto-download is on for Channel b.').first().waitFor()
  expect(await auto_download.evaluate(element => element === document.activeElement)).toBe(true)
})

it.each([true, false])('selected channels are added to a new group, with JavaScript: %s', async javaScriptEnabled => {
  const alice = await three()
  const { page } = await site.openAt('/channels', alice, { javaScriptEnabled })
  await page.getByLabel('More actions').click()
  await page.getByRole('link', { name: 'Select channels' }).click()
  // Anywhere on the row.
  await page.getByText('Video a1').click({ force: true })
  await page.getByRole('checkbox', { name: 'Channel c' }).check({ force: true })
  await page.getByText('Add to group').click()
  await page.getByLabel('New group').fill('Cooking')
  await page.keyboard.press('Enter')

  await page.getByText('2 channels added to Cooking.').first().waitFor()
  const { channels } = (await alice.library.groups.list())[0] ?? {}
  expect(channels).toBe(2)
})

it('a press anywhere on a row opens the channel', async () => {
  const { page } = await site.openAt('/channels', await three())
  await page.getByText('Video b1').click({ force: true })
  await page.waitForURL('**/channels/b')
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Channel b')
})

it('a tick beside a channel puts it into the group at once', async () => {
  const alice = await three()
  const { group_id } = await alice.library.groups.create('Evenings')
  const { page, faults } = await site.openAt(`/groups/${group_id}`, alice)
  await page.getByLabel('Channel b').check()
  await page.getByText('Saved', { exact: true }).waitFor()
  expect(await alice.library.groups.channelIds(group_id)).toEqual(['b'])
  expect(faults).toEqual([])
})

it('ticks that are faster than the answers are all saved', async () => {
  const alice = await three()
  const { group_id } = await alice.library.groups.create('Evenings')
  const { page } = await site.openAt(`/groups/${group_id}`, alice)
  const ticked = Promise.withResolvers<void>()
  await page.route(`**/groups/${group_id}`, async route => {
    await ticked.promise
    await route.continue()
  })
  for (const name of ['a', 'b', 'c']) await page.getByLabel(`Channel ${name}`).check()
  ticked.resolve()
  await expect.poll(async () => (await alice.library.groups.channelIds(group_id)).toSorted()).toEqual(['a', 'b', 'c'])
})
