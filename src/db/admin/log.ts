/** Reads the log of what administrators did. `account/write-act.ts` writes it. */
import type { Act } from '../../schema/admin/admin.ts'
import { pageOf, paging, rowsFor } from '../rows/cursor.ts'
import type { Means } from './acts.ts'

export const logOf = ({ sql }: Means) => ({
  /** The latest first. */
  async page(cursor: string | undefined): Promise<{ acts: Act[]; next_cursor: string | null }> {
    const { place, order, after } = paging(sql, [{ by: sql`id`, type: 'integer' }], 'desc', cursor)
    const rows = await sql<(Act & { place: string })[]>`
      select   at, actor as by, act, username, detail, ${place} as place
      from     admin_acts
      where    ${after}
      order by ${order}
      limit    ${rowsFor(sql, acts_per_page)}`
    const { rows: acts, next_cursor } = pageOf(rows, acts_per_page)
    return { acts, next_cursor }
  },
})

const acts_per_page = 50
