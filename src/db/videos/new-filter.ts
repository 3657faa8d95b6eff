/** The filter of the page New that one user chose last. */
import { jsonText } from '../../runtime/json.ts'
import type { UserId } from '../../schema/values/user.ts'
import { NewFilter } from '../../schema/videos/new-page.ts'
import type { Queryable } from '../postgres/client.ts'

export interface RememberedFilter {
  get(): Promise<NewFilter>
  save(filter: NewFilter): Promise<void>
}

export const newFilterOf = (sql: Queryable, user_id: UserId): RememberedFilter => ({
  async get() {
    const [owner] = await sql<{ new_filter: unknown }[]>`select new_filter from users where id = ${user_id}`
    return NewFilter.parse(owner?.new_filter ?? {})
  },

  async save(filter) {
    await sql`
      update users
      set    new_filter = ${jsonText(filter)}::text::jsonb
      where  id = ${user_id}`
  },
})
