import { expect, it } from 'vitest'
import { Freshness } from '../../../src/views/channels/freshness.tsx'
import { channel } from '../../support/app/samples.ts'

const now = new Date('2026-11-22T12:00:00Z')
const ago = (hours: number) => new Date(now.getTime() - hours * 3_600_000)
const textOf = (changes: Parameters<typeof channel>[0]) =>
  String(<Freshness channel={channel(changes)} now={now} />)
    .replace(/<[^>]+>/g, '')
    .replace(/\s+/g, ' ')

it('a channel whose listing replaces its feed says so, and not that it is not updating', () => {
  const failing = { failing_since: ago(48), fetch_error: 'The site answered 404.' }
  expect(textOf({ ...failing, listed_at: ago(1) })).toMatch(
    /The feed has failed for 2 days\. New videos come from the channel’s page meanwhile\.$/,
  )
  expect(textOf(failing)).toContain('Not updating for 2 days. The site answered 404.')
})
