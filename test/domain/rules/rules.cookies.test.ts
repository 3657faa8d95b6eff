/** What a rule requests of the videos for members once its person has stored cookies for their site. */
import { beforeEach, expect, it } from 'vitest'
import { applyDueRules } from '../../../jobs/tasks/housekeeping.ts'
import { afterFailure } from '../../../src/domain/downloads/retries.ts'
import { storeCookies } from '../../../src/domain/downloads/site-cookies.ts'
import { applyRule, changeRule } from '../../../src/domain/rules/rules.ts'
import { RuleRequest } from '../../../src/schema/rules/rule.ts'
import type { Availability } from '../../../src/schema/sources/facts.ts'
import { failures } from '../../../src/ytdlp/failures/failure.ts'
import { silent } from '../../support/app/app.ts'
import { useDatabase } from '../../support/app/database.ts'
import { type Person, person } from '../../support/app/people.ts'
import { channel_id, queuedFor, saves } from '../../support/app/ruled-channel.ts'

const { sql } = useDatabase()
const secret_key = 'a-key-of-more-than-thirty-two-letters'
const rule = RuleRequest.parse({ auto_download: true })

let alice: Person
let bob: Person
beforeEach(async () => {
  await sql`delete from channels`
  await sql`truncate graphile_worker._private_jobs`
  alice = await person(sql, 'alice')
  bob = await person(sql, 'bob')
  for (const who of [alice, bob]) {
    await saves(who, sql, {})
    await changeRule(who.library, channel_id, rule)
  }
})

const stores = ({ library }: Person, host = 'films.example') =>
  storeCookies(library, secret_key, { host, text: `.${host}\tTRUE\t/\tTRUE\t0\tsession\tof-one` }, new Date())

/** Two videos that the feed brings, of two sites. The id of each is the host of its site. */
const has = (who: Person, availability: Availability | null) => {
  const at = (host: string) => ({ days_ago: -1, video_url: `https://www.${host}/1`, availability })
  return saves(who, sql, { 'films.example': at('films.example'), 'other-films.example': at('other-films.example') })
}
const keepHouse = () => applyDueRules({ sql, log: silent })
const queued = async () => [await queuedFor(alice, sql), await queuedFor(bob, sql)]

it('a video for members only is requested for a person with cookies for its site, and not with those for another', async () => {
  await stores(alice)
  await has(alice, 'members_only')
  expect(await applyRule(alice.library, channel_id)).toEqual(['films.example'])
})

it('a video for members only that was judged before is judged again once its person stores cookies for its site', async () => {
  for (const who of [alice, bob]) {
    await has(who, 'members_only')
    expect(await applyRule(who.library, channel_id)).toEqual([])
  }

  await stores(alice)
  await keepHouse()
  expect(await queued()).toEqual([['films.example'], []])
})

it('a video that failed as one for members only is requested again once its person stores cookies for its site', async () => {
  for (const who of [alice, bob]) {
    await has(who, null)
    for (const video_id of await applyRule(who.library, channel_id)) await failsAsForMembers(who, video_id)
  }
  await sql`truncate graphile_worker._private_jobs`

  await stores(alice)
  expect(await queued()).toEqual([['films.example'], []])
})

async function failsAsForMembers({ library }: Person, video_id: string) {
  const claim = crypto.randomUUID()
  expect(await library.downloads.start(video_id, claim)).toBeDefined()
  const failure = { ...failures.unknown, kind: 'permanent', reason: 'members' } as const
  const past = { attempt: 1, by_rule: true, failing: null }
  await library.downloads.fail(video_id, claim, afterFailure(failure, past, new Date()))
}
