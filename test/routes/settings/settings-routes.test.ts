/** A person's settings, by the API. */
import { expect, it } from 'vitest'
import { useApp } from '../../support/app/app.ts'
import { type Person, person } from '../../support/app/people.ts'

const { ask, sql, jsonAt } = useApp()

const put = (as: Person, json: object) =>
  ask('/api/settings', { as, method: 'PUT', json: { quality: 'best', ...json } })

it('quiet hours are saved, kept when they are not sent, and ended by null', async () => {
  const alice = await person(sql, 'alice')
  const none = { quiet_from: null, quiet_to: null, time_zone: 'UTC', messages_a_day: 50 }
  expect(await jsonAt('/api/settings', { as: alice })).toMatchObject(none)

  const chosen = { quiet_from: '22:30', quiet_to: '06:05', time_zone: 'Europe/Zurich', messages_a_day: 12 }
  expect(await (await put(alice, chosen)).json()).toMatchObject(chosen)
  expect(await (await put(alice, {})).json()).toMatchObject(chosen)

  const ended = { quiet_from: null, quiet_to: null }
  expect(await (await put(alice, ended)).json()).toMatchObject({ ...chosen, ...ended })
})

it('the languages of subtitles are saved in their usual spelling, and kept when they are not sent', async () => {
  const alice = await person(sql, 'alice')
  expect(await (await put(alice, {})).json()).toMatchObject({ subtitle_languages: [] })

  expect(await (await put(alice, { subtitle_languages: ['DE', 'zh-hant', 'de'] })).json()).toMatchObject({
    subtitle_languages: ['de', 'zh-Hant'],
  })
  expect(await (await put(alice, {})).json()).toMatchObject({ subtitle_languages: ['de', 'zh-Hant'] })
  expect(await (await put(alice, { subtitle_languages: [] })).json()).toMatchObject({ subtitle_languages: [] })
})

it.each([
  { subtitle_languages: 'de' },
  { subtitle_languages: ['german'] },
  { subtitle_languages: Array.from({ length: 21 }, () => 'de') },
  { quiet_from: '24:00' },
  { quiet_to: '7:00' },
  { time_zone: 'Mars/Olympus' },
  { time_zone: '+02:00' },
  { time_zone: '' },
  { messages_a_day: 0 },
  { messages_a_day: 501 },
])('settings with %j are refused', async wrong => {
  const alice = await person(sql, 'alice')
  expect((await put(alice, wrong)).status).toBe(422)
})
