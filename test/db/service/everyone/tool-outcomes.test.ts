/** What the ends of downloads say about a version of yt-dlp: when it counts as worse than the one before. */
import { beforeEach, expect, it } from 'vitest'
import { everyoneIn } from '../../../../src/db/everyone.ts'
import { failuresSinceSwitch } from '../../../../src/db/service/everyone/tool-outcomes.ts'
import { useApp } from '../../../support/app/app.ts'
import { type Person, person } from '../../../support/app/people.ts'

const { sql } = useApp()
beforeEach(() => sql`delete from tool_outcomes`)

const switched_at = '2026-11-20T12:00:00Z'
const people = new Map<string, Person>()

/** `ends`: for each person and host, how many downloads succeeded and failed. */
async function ended(ends: string, ytdlp_version: string, at: string) {
  for (const [, name = '', host = '', ...counts] of ends.matchAll(/(\w+) at (\w+): (\d+) and (\d+)/g)) {
    const whose = people.get(name) ?? (await person(sql, name))
    people.set(name, whose)
    for (const [n, count] of counts.entries())
      await sql`
        insert into tool_outcomes (user_id, host, ytdlp_version, failed, ended_at)
        select ${whose.user.user_id}, ${host}, ${ytdlp_version}, ${n === 1}, ${at}
        from   generate_series(1, ${count}::int)`
  }
}

const worked = 'alice at a: 9 and 1, bob at a: 9 and 0, carol at b: 5 and 0'
const two_pairs = 'alice at a: 9 and 0, carol at b: 5 and 0, mallory at evil: 9 and 0, mallory2 at evil: 9 and 0'

it.each<[string, string, string, number]>([
  ['nothing downloaded since', worked, '', 0],
  ['everything fails for most people', worked, 'alice at a: 0 and 2, bob at a: 0 and 1', 3],
  ['another site works', worked, 'alice at a: 0 and 2, bob at a: 0 and 1, carol at b: 1 and 0', 3],
  ['only two failures', worked, 'alice at a: 0 and 1, bob at a: 0 and 1', 0],
  ['five hundred failures of one person', worked, 'bob at a: 0 and 500', 0],
  ['one of two people', 'alice at a: 9 and 0, mallory at evil: 9 and 0', 'mallory at evil: 0 and 9', 0],
  ['two of four people, at a site of theirs', two_pairs, 'mallory at evil: 0 and 3, mallory2 at evil: 0 and 3', 0],
  ['addresses that never worked', worked, 'alice at evil: 0 and 9, bob at evil: 0 and 9', 0],
  ['a site that works for another person', worked, 'alice at a: 0 and 9, bob at a: 0 and 9, dave at a: 1 and 0', 0],
  [
    'a site that failed as often before',
    'alice at a: 1 and 9, bob at a: 1 and 9',
    'alice at a: 0 and 9, bob at a: 0 and 9',
    0,
  ],
  ['everything fails for the only person', 'alice at a: 9 and 0', 'alice at a: 0 and 3', 3],
])('a version is worse only by what most people lost since the switch: %s', async (_, before, after, failures) => {
  await ended(before, '2026.10.01', '2026-11-20T08:00:00Z')
  await ended(after, '2026.11.01', '2026-11-20T13:00:00Z')

  expect(await failuresSinceSwitch(everyoneIn(sql), '2026.11.01', switched_at)).toBe(failures)
})
