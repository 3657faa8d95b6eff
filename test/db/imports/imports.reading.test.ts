/** Imports whose file is still read. */
import { describe, expect, it } from 'vitest'
import { forgetLostImports } from '../../../src/db/service/everyone/operations.ts'
import { type ListRead, no_content } from '../../../src/schema/imports/import.ts'
import { aLockIsWaitedFor, useDatabase } from '../../support/app/database.ts'
import { beginList } from '../../support/app/imports.ts'
import { type Person, person } from '../../support/app/people.ts'

const { sql } = useDatabase({ connections: 3 })

const nothing: ListRead = { kind: 'history', lines: [], passed_over: 0, content: no_content }
const part = { kind: 'viewings', items: [] } as const

const storedOf = async ({ user }: Person) => {
  const [counted] = await sql<{ imports: number; parts: number }[]>`
    select (select count(*) from imports where user_id = ${user.user_id})      as imports,
           (select count(*) from import_parts where user_id = ${user.user_id}) as parts`
  return counted
}

/** As if the process had died in the middle of the file. */
async function beginAndDie({ user, library }: Person): Promise<void> {
  const arrived = Promise.withResolvers<void>()
  library.imports.begin(async store => {
    await store({ ...part, items: [] })
    arrived.resolve()
    return new Promise<never>(() => {})
  })
  await arrived.promise
  await sql`update imports set created_at = now() - interval '1 hour' where user_id = ${user.user_id}`
}

describe('an import whose file is read', () => {
  it('no transaction is open while the file is read, and the import is not shown', async () => {
    const alice = await person(sql, 'alice')
    const import_id = await alice.library.imports.begin(async store => {
      await store({ ...part, items: [] })
      const open = await sql`
        select query from pg_stat_activity
        where  datname = current_database() and state like 'idle in transaction%'`
      expect(open).toEqual([])
      expect(await alice.library.imports.list()).toEqual([])
      return nothing
    })
    expect(await alice.library.imports.list()).toMatchObject([{ import_id, kind: 'history' }])
  })

  it('nothing is left of a file that cannot be read to its end', async () => {
    const alice = await person(sql, 'alice')
    const reading = alice.library.imports.begin(async store => {
      await store({ ...part, items: [] })
      throw new Error('this file breaks off')
    })
    await expect(reading).rejects.toThrow('breaks off')
    expect(await storedOf(alice)).toEqual({ imports: 0, parts: 0 })
  })

  it('five that died while they read a file do not keep their person from the next one, and housekeeping deletes them', async () => {
    const alice = await person(sql, 'alice')
    for (let nth = 0; nth < 5; nth++) await beginAndDie(alice)
    expect(await alice.library.imports.begin(async () => nothing)).toBeDefined()
    expect(await storedOf(alice)).toEqual({ imports: 6, parts: 5 })
    await forgetLostImports(sql)
    expect(await storedOf(alice)).toEqual({ imports: 1, parts: 0 })
  })

  it('five whose files are being read are the most that one person has', async () => {
    const alice = await person(sql, 'alice')
    const [gate, begun] = [
      Promise.withResolvers<void>(),
      Array.from({ length: 5 }, () => Promise.withResolvers<void>()),
    ]
    const reading = begun.map(({ resolve }) =>
      alice.library.imports.begin(async () => {
        resolve()
        await gate.promise
        return nothing
      }),
    )
    await Promise.all(begun.map(({ promise }) => promise))
    expect(await alice.library.imports.begin(async () => nothing)).toBeUndefined()
    gate.resolve()
    expect(new Set(await Promise.all(reading)).size).toBe(5)
  })

  it('one that begins at the same moment as the fifth of its person is the sixth', async () => {
    const { library, user } = await person(sql, 'alice')
    const begin = () => beginList({ library }, [{ address: 'https://a.example', title: 'a' }])
    for (let nth = 0; nth < 4; nth++) await begin()
    const { other } = await sql.begin(async tx => {
      await tx`select from users where id = ${user.user_id} for no key update`
      const other = begin()
      await aLockIsWaitedFor(sql)
      await tx`insert into imports (user_id, kind) values (${user.user_id}, 'addresses')`
      return { other }
    })
    expect(await other).toBe('')
  })
})
