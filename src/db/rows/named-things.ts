/**
 * Things that a person names, such as groups of channels and saved searches. Two things of one kind never have equal names, ignoring case.
 * A person has a limited number of each kind. A deleted thing can be restored for a day, unless many are deleted after it.
 */
import { DomainError } from '../../errors.ts'
import type { UserId } from '../../schema/values/user.ts'
import { isolated } from '../../schema/values/words.ts'
import { firstRow, firstValue, hasBroken, oneByOne, onlyValue, type Queryable, type Sql } from '../postgres/client.ts'

/** A table has `user_id`, `name` and `deleted_at`, and a unique index `<table>_name_key` of the names that are not deleted. */
type Kind = {
  table: string
  id: string
  /** What the person gets of a thing. */
  columns: string[]
  max: number
  /** The most deleted things of one person that can be restored. */
  max_deleted: number
  /** Words for sentences. `remove`: as the page calls it. */
  words: { one: string; many: string; remove: string }
}

export function namedThingsOf<Thing extends { name: string }>(
  sql: Sql,
  user_id: UserId,
  { table, id, columns, max, max_deleted, words }: Kind,
) {
  const mine = sql`user_id = ${user_id}`
  const is_here = sql`deleted_at is null`
  const things = sql(table)
  const hasId = (thing_id: string) => sql`${sql(id)}::text = ${thing_id}`

  const requireRoom = async (tx: Queryable): Promise<void> => {
    const count = await onlyValue<number>(tx`
      select count(*) as things
      from   ${things}
      where  ${mine} and ${is_here}`)
    if (count >= max)
      throw new DomainError(
        'invalid',
        `You have ${max} ${words.many}, the most there can be. ${words.remove} one first.`,
      )
  }

  /** Throws `conflict` instead, if another thing has the name. */
  const orConflict = <T>(writing: Promise<T>, conflict: DomainError): Promise<T> =>
    writing.catch((fault: unknown) => {
      throw hasBroken(fault, `${table}_name_key`) ? conflict : fault
    })

  const nameTaken = (name: string) =>
    new DomainError('conflict', `You have a ${words.one} called ${isolated(name)} already. Choose another name.`, {
      fields: { name: `You have a ${words.one} with this name.` },
    })

  const nameTakenSince = (name: string) =>
    new DomainError(
      'conflict',
      `You have another ${words.one} called ${isolated(name)} by now. Rename that one, then restore this one.`,
    )

  return {
    /** Throws `conflict` if a thing has this name, `invalid` if there are too many. */
    create: (values: { name: string } & Record<string, string>): Promise<Thing> =>
      oneByOne(sql, user_id, async tx => {
        await requireRoom(tx)
        const [created] = await tx<Thing[]>`
          insert into ${things} ${tx({ ...values, user_id })}
          on conflict do nothing
          returning ${tx(columns)}`
        if (!created) throw nameTaken(values.name)
        return created
      }),

    /** `undefined`: there is no such thing. Throws `conflict` if another thing has this name. */
    change(thing_id: string, changes: Record<string, string>): Promise<Thing | undefined> {
      const changing = sql<Thing[]>`
        update ${things}
        set    ${sql(changes)}
        where  ${mine} and ${is_here} and ${hasId(thing_id)}
        returning ${sql(columns)}`
      return firstRow(orConflict(changing, nameTaken(changes.name ?? '')))
    },

    /** `undefined`: there is no such thing. */
    remove: (thing_id: string): Promise<Thing | undefined> =>
      oneByOne(sql, user_id, async tx => {
        const [removed] = await tx<Thing[]>`
          update ${things}
          set    deleted_at = now()
          where  ${mine} and ${is_here} and ${hasId(thing_id)}
          returning ${tx(columns)}`
        await tx`
          delete from ${things}
          where  ${mine} and deleted_at is not null
          and    ${tx(id)} not in (
                   select   ${tx(id)}
                   from     ${things}
                   where    ${mine} and deleted_at > now() - interval '1 day'
                   order by deleted_at desc, ${tx(id)}
                   limit    ${max_deleted})`
        return removed
      }),

    /** Does nothing unless the thing is deleted. Throws `conflict` if another thing has its name now, `invalid` if there are too many. */
    restore: (thing_id: string): Promise<void> =>
      oneByOne(sql, user_id, async tx => {
        const name = await firstValue<string>(tx`
          select name
          from   ${things}
          where  ${mine} and deleted_at is not null and ${hasId(thing_id)}`)
        if (name === undefined) return
        await requireRoom(tx)
        const restoring = tx`
          update ${things}
          set    deleted_at = null
          where  ${mine} and ${hasId(thing_id)}`
        await orConflict(restoring, nameTakenSince(name))
      }),
  }
}
