/** What administrators change in people: races for the last administrator, and pages of many people. */
import { describe, expect, it } from 'vitest'
import { deskOf } from '../../../src/db/admin/desk.ts'
import {
  type PeopleSort,
  type PersonChange,
  people_sorts,
  type Person as SeenPerson,
} from '../../../src/schema/admin/admin.ts'
import { useDatabase } from '../../support/app/database.ts'
import { administrator, follows, has, type Person, person } from '../../support/app/people.ts'

const { sql } = useDatabase({ connections: 8 })

const deskBy = ({ user: { user_id, username } }: Person) => deskOf(sql, { user_id, name: username })

const administrators = async () => (await sql`select from users where role = 'admin' and locked_at is null`).count

describe('two administrators who act on each other at the same moment', () => {
  const act = (by: Person, on: Person, change: PersonChange | 'delete') =>
    (change === 'delete'
      ? deskBy(by).people.remove(on.user.username)
      : deskBy(by).people.change(on.user.username, change)
    ).then(
      result => (typeof result === 'object' || /-/.test(result) ? 'done' : result),
      (fault: Error) => fault.message,
    )

  it.each([[{ role: 'member' }], [{ locked: true }], ['delete']] satisfies [PersonChange | 'delete'][])(
    'leave one who can sign in: %j, 30 rounds',
    async change => {
      for (let round = 0; round < 30; round++) {
        await sql`delete from users where role = 'member'`
        const [alice, bob] = [await administrator(sql, 'alice'), await administrator(sql, 'bob')]
        await sql`delete from users where id <> all(${[alice.user.user_id, bob.user.user_id]})`
        await person(sql, 'carol')
        const results = await Promise.all([act(alice, bob, change), act(bob, alice, change)])
        expect([round, results.filter(result => result === 'done').length]).toEqual([round, 1])
        expect([round, await administrators()]).toEqual([round, 1])
        await sql`update users set role = 'admin', locked_at = null where username like 'carol-%'`
        await sql`update users set role = 'member' where username not like 'carol-%'`
      }
    },
  )

  it('keep one each when both give up their own role', async () => {
    for (let round = 0; round < 30; round++) {
      await sql`update users set locked_at = null`
      const [alice, bob] = [await administrator(sql, 'alice'), await administrator(sql, 'bob')]
      await sql`update users set role = 'member' where id <> all(${[alice.user.user_id, bob.user.user_id]})`
      const results = await Promise.all([act(alice, alice, { role: 'member' }), act(bob, bob, { role: 'member' })])
      expect([round, results.toSorted()]).toEqual([round, ['done', 'last_administrator']])
      expect([round, await administrators()]).toEqual([round, 1])
    }
  })
})

describe('the pages of people', () => {
  it('find by a part of the name, and sort by name, visit, bytes and creation without leaving anyone out', async () => {
    const desk = deskBy(await administrator(sql, 'alice'))
    await sql`
      insert into users (username, password_hash, created_at, last_seen_at)
      select 'many_' || n, 'not a hash', now() - (n % 7) * interval '1 day', case when n % 3 > 0 then now() - n * interval '1 hour' end
      from   generate_series(1, 120) n`
    for (let nth = 0; nth < 3; nth++) {
      const large = await person(sql, 'large_many_')
      await follows(large, 'kitchen', ['v1', 'v2'])
      await has(large, 'v1', `${large.user.user_id}/kitchen/v1.mp4`, 1000 * (nth + 1))
    }
    const everyone = (await desk.people.list()).filter(({ username }) => username.includes('many_'))
    expect(everyone).toHaveLength(123)
    for (const sort of people_sorts) {
      const read = []
      let after: string | undefined
      do {
        const page = await desk.people.page({ q: 'MANY_', sort, after })
        read.push(...page.people)
        after = page.next_cursor ?? undefined
      } while (after !== undefined)
      const keys: Record<PeopleSort, (person: SeenPerson) => string | number> = {
        name: ({ username }) => username.toLowerCase(),
        last_visit: ({ last_seen_at }) => -(last_seen_at?.getTime() ?? 0),
        bytes: ({ on_disk_bytes }) => -on_disk_bytes,
        created: ({ created_at }) => -created_at.getTime(),
      }
      expect(new Set(read.map(({ username }) => username)).size).toBe(123)
      const sorted = read.map(keys[sort])
      if (sort !== 'name') expect([sort, sorted]).toEqual([sort, sorted.toSorted((a, b) => Number(a) - Number(b))])
      else expect(read).toEqual(everyone)
    }
    const { people } = await desk.people.page({ q: 'many_', sort: 'bytes' })
    expect(people.slice(0, 4).map(({ on_disk_bytes }) => on_disk_bytes)).toEqual([3000, 2000, 1000, 0])
    expect((await desk.people.page({ q: '%', sort: 'name' })).people).toEqual([])
  })

  it('counts a file of two channels once, and shows no title', async () => {
    const desk = deskBy(await administrator(sql, 'alice'))
    const bob = await person(sql, 'bob')
    await follows(bob, 'kitchen', ['v1', 'v2'])
    await follows(bob, 'cellar', ['v1'])
    await has(bob, 'v1', `${bob.user.user_id}/kitchen/v1.mp4`, 500)
    const found = await desk.people.find(bob.user.username.toUpperCase())
    expect(found).toMatchObject({
      username: bob.user.username,
      channels: 2,
      videos: 3,
      on_disk_bytes: 500,
      sessions: 1,
    })
    expect(JSON.stringify([found, await desk.people.list()])).not.toMatch(/kitchen|cellar|Video v/)
  })
})
