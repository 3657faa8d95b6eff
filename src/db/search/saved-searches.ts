/** One user's saved searches: list, create, change, delete and restore, so that they stay as few as they may be. */
import { DomainError } from '../../errors.ts'
import { max_searches, type SavedSearch, type SavedSearchRequest } from '../../schema/search/saved-search.ts'
import type { UserId } from '../../schema/values/user.ts'
import { isolated } from '../../schema/values/words.ts'
import { hasBroken, type Queryable, type Sql } from '../postgres/client.ts'

/** The most deleted searches of one person that can be restored. Those older than a day go when another one is deleted. */
const most_deleted = 50

export type SavedSearches = ReturnType<typeof savedSearchesOf>

export function savedSearchesOf(sql: Sql, user_id: UserId) {
  const mine = sql`user_id = ${user_id}`
  const is_here = sql`deleted_at is null`
  const columns = sql`saved_search_id, name, q, sort`

  const find = async (saved_search_id: string): Promise<SavedSearch | undefined> => {
    const [search] = await sql<SavedSearch[]>`
      select ${columns}
      from   saved_searches
      where  ${mine} and ${is_here} and saved_search_id::text = ${saved_search_id}`
    return search
  }

  /** Changes that need a count of the saved searches wait here for each other, so that it includes all of them. */
  const oneAtATime = <T>(work: (tx: Queryable) => Promise<T>) =>
    sql.begin(async tx => {
      await tx`
        select from users
        where  id = ${user_id}
        for no key update`
      return work(tx)
    }) as Promise<T>

  const requireRoom = async (tx: Queryable): Promise<void> => {
    const [counted] = await tx<{ searches: number }[]>`
      select count(*) as searches
      from   saved_searches
      where  ${mine} and ${is_here}`
    if ((counted?.searches ?? 0) >= max_searches)
      throw new DomainError(
        'invalid',
        `You have ${max_searches} saved searches, the most there can be. Remove one first.`,
      )
  }

  return {
    /** By name. */
    list: (): Promise<SavedSearch[]> => sql<SavedSearch[]>`
      select   ${columns}
      from     saved_searches
      where    ${mine} and ${is_here}
      order by lower(name)`,

    find,

    /** Throws `conflict` if a saved search has this name, `invalid` if there are too many. */
    create: ({ name, q, sort }: SavedSearchRequest): Promise<SavedSearch> =>
      oneAtATime(async tx => {
        await requireRoom(tx)
        const [created] = await tx<SavedSearch[]>`
          insert into saved_searches (user_id, name, q, sort)
          values (${user_id}, ${name}, ${q}, ${sort})
          on conflict do nothing
          returning ${columns}`
        if (!created) throw nameTaken(name)
        return created
      }),

    /** `undefined`: there is no such search. Throws `conflict` if another one has this name. */
    async change(saved_search_id: string, changes: Partial<SavedSearchRequest>): Promise<SavedSearch | undefined> {
      const changing = sql<SavedSearch[]>`
        update saved_searches
        set    ${sql(changes)}
        where  ${mine} and ${is_here} and saved_search_id::text = ${saved_search_id}
        returning ${columns}`
      const [changed] = await orConflict(changing, nameTaken(changes.name ?? ''))
      return changed
    },

    /** It can be restored for a day at least, unless fifty are deleted after it. `undefined`: there is no such search. */
    remove: (saved_search_id: string): Promise<SavedSearch | undefined> =>
      oneAtATime(async tx => {
        const [removed] = await tx<SavedSearch[]>`
          update saved_searches
          set    deleted_at = now()
          where  ${mine} and ${is_here} and saved_search_id::text = ${saved_search_id}
          returning ${columns}`
        await tx`
          delete from saved_searches
          where  ${mine} and deleted_at is not null
          and    saved_search_id not in (
                   select   saved_search_id
                   from     saved_searches
                   where    ${mine} and deleted_at > now() - interval '1 day'
                   order by deleted_at desc, saved_search_id
                   limit    ${most_deleted})`
        return removed
      }),

    /** Throws `conflict` if a saved search has its name now, `invalid` if there are too many. `undefined`: there is no such search. */
    async restore(saved_search_id: string): Promise<SavedSearch | undefined> {
      await oneAtATime(async tx => {
        const [deleted] = await tx<{ name: string }[]>`
          select name
          from   saved_searches
          where  ${mine} and deleted_at is not null and saved_search_id::text = ${saved_search_id}`
        if (!deleted) return
        await requireRoom(tx)
        const restoring = tx`
          update saved_searches
          set    deleted_at = null
          where  ${mine} and saved_search_id::text = ${saved_search_id}`
        await orConflict(restoring, nameTakenSince(deleted.name))
      })
      return find(saved_search_id)
    },
  }
}

/** Throws `conflict` instead, if another saved search has the name. */
const orConflict = <T>(writing: Promise<T>, conflict: DomainError): Promise<T> =>
  writing.catch((fault: unknown) => {
    throw hasBroken(fault, 'saved_searches_name_key') ? conflict : fault
  })

const nameTaken = (name: string) =>
  new DomainError('conflict', `You have a saved search called ${isolated(name)} already. Choose another name.`, {
    fields: { name: 'You have a saved search with this name.' },
  })

const nameTakenSince = (name: string) =>
  new DomainError(
    'conflict',
    `You have another saved search called ${isolated(name)} by now. Rename that one, then restore this one.`,
  )
