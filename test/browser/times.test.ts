/** Clock times in the reader's own time zone, which only a browser knows. */
import { expect, it } from 'vitest'
import type { Person } from '../support/app/people.ts'
import { scene } from '../support/app/scene.ts'
import { useSite } from '../support/browser/site.ts'

const site = useSite()

/** When a failed download is tried again. */
const plan = ({ user }: Person, at: Date, attempts: number) => site.sql`
  update video_entries
  set    download_next_attempt_at = ${at}, download_attempts = ${attempts}
  where  user_id = ${user.user_id} and video_id = 'retrying'`

it('a planned time is shown in the time zone of the browser, also after a poll brought it again', async () => {
  const alice = await scene(site.sql)
  const at = new Date(Date.now() + 26 * 3_600_000)
  at.setUTCHours(22, 54, 0, 0)
  await plan(alice, at, 1)
  const { page, faults } = await site.open(alice, { timezoneId: 'Asia/Kolkata', locale: 'en-GB' })

  await page.goto('/downloads')
  const state = page.locator('#download-retrying .words')
  await state.getByText('at 04:24, attempt 2 of 3.').waitFor()
  await plan(alice, at, 2)
  await state.getByText('at 04:24, attempt 3 of 3.').waitFor()

  expect(faults).toEqual([])
})

it('without a script a planned time is relative', async () => {
  const alice = await scene(site.sql)
  await plan(alice, new Date(Date.now() + 600_000), 1)
  const { page } = await site.open(alice, { javaScriptEnabled: false })

  await page.goto('/downloads')

  expect(await page.locator('#download-retrying').textContent()).toMatch(/Retrying in \d+ minutes, attempt 2 of 3\./)
})

it('a planned time that has passed midnight on an open page reads "yesterday at"', async () => {
  const { page } = await site.openAt('/downloads', await scene(site.sql))

  const words = await page.evaluate(() => {
    const time = document.createElement('time')
    time.dataset.clock = 'at'
    time.dateTime = new Date(Date.now() - 24 * 3_600_000).toISOString()
    document.body.append(time)
    document.dispatchEvent(new Event('htmx:after:swap'))
    return time.textContent
  })

  expect(words).toMatch(/^yesterday at \d/)
})
