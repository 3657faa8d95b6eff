/** Requests with an API token. What a token may do is tested with the page that creates them. */
import { expect, it } from 'vitest'
import { useApp } from '../../support/app/app.ts'

const a_minute = (most: number) => ({ most, per_s: 60 })
const app = useApp({ limits: { of_person: {}, signed_out: a_minute(3), at_address: a_minute(40) } })

it.each([
  ['was never given out', `backlot_${'1'.repeat(64)}`],
  ['is no token', 'a guess'],
])('a request with a token that %s counts as signed out', async (_, token) => {
  const headers = { authorization: `Bearer ${token}` }
  const from = `198.51.100.${token.length}`
  const statuses = []
  for (let index = 0; index < 5; index++) statuses.push((await app.ask('/api/channels', { headers, from })).status)
  expect(statuses).toEqual([401, 401, 401, 429, 429])
})
