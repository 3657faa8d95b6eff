/** Merges the saved searches of an archive into those of one person, by their names. What is there already stays. */
import { jsonText } from '../../runtime/json.ts'
import { max_searches, type SavedSearchRequest } from '../../schema/search/saved-search.ts'
import type { UserId } from '../../schema/values/user.ts'
import type { Queryable } from '../postgres/client.ts'

/** Adds those that are missing, as many as one person may have. */
export async function mergeSearches(tx: Queryable, user_id: UserId, searches: SavedSearchRequest[]): Promise<void> {
  if (searches.length === 0) return
  const mine = tx`user_id = ${user_id} and deleted_at is null`
  await tx`
    insert into saved_searches (user_id, name, q, sort)
    select ${user_id}, name, q, sort
    from   json_to_recordset(${jsonText(searches)}::text::json) as given (name text, q text, sort text)
    where  not exists (select from saved_searches known where ${mine} and lower(known.name) = lower(given.name))
    limit  greatest(0, ${max_searches} - (select count(*) from saved_searches where ${mine}))
    on conflict do nothing`
}
