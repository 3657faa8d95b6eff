/** JSON for Postgres: texts with half a surrogate pair. */
import { expect, it } from 'vitest'
import { jsonText } from '../../src/runtime/json.ts'
import { useDatabase } from '../support/app/database.ts'

const { sql } = useDatabase()

it.each([
  ['half a pair', '\ud800', '\ufffd'],
  ['the other half', 'a\udc00b', 'a\ufffdb'],
  ['a whole pair', '🎬', '🎬'],
  ['text that looks like half a pair', '\\ud800', '\\ud800'],
  ['quotes and control characters', '"\\\n\u0001', '"\\\n\u0001'],
])('Postgres reads %s', async (_, text, stored) => {
  const [row] = await sql<{ text: string }[]>`select ${jsonText({ text })}::text::json ->> 'text' as text`
  expect(row?.text).toBe(stored)
})
