/**
 * One user's saved searches: list, create, change, delete and restore. `named-things.ts` keeps their names apart and their number limited.
 */
import { max_searches, type SavedSearch } from '../../schema/search/saved-search.ts'
import type { UserId } from '../../schema/values/user.ts'
import { firstRow, type Sql } from '../postgres/client.ts'
import { namedThingsOf } from '../rows/named-things.ts'

const columns = ['saved_search_id', 'name', 'q', 'sort']

export function savedSearchesOf(sql: Sql, user_id: UserId) {
  const mine = sql`user_id = ${user_id} and deleted_at is null`
  const searches = namedThingsOf<SavedSearch>(sql, user_id, {
    table: 'saved_searches',
    id: 'saved_search_id',
    columns,
    max: max_searches,
    max_deleted: 50,
    words: { one: 'saved search', many: 'saved searches', remove: 'Remove' },
  })

  const find = (saved_search_id: string): Promise<SavedSearch | undefined> =>
    firstRow(sql<SavedSearch[]>`
      select ${sql(columns)}
      from   saved_searches
      where  ${mine} and saved_search_id::text = ${saved_search_id}`)

  return {
    ...searches,

    /** By name. */
    list: (): Promise<SavedSearch[]> => sql<SavedSearch[]>`
      select   ${sql(columns)}
      from     saved_searches
      where    ${mine}
      order by lower(name)`,

    find,

    /** Throws `conflict` if a saved search has its name now, `invalid` if there are too many. `undefined`: there is no such search. */
    async restore(saved_search_id: string): Promise<SavedSearch | undefined> {
      await searches.restore(saved_search_id)
      return find(saved_search_id)
    },
  }
}
