/** The orders of a list of videos, and where a month is in them. Paging through them is left to `cursor.ts`. */
import type { VideoSort } from '../../schema/videos/video-order.ts'
import type { Piece, Queryable } from '../postgres/client.ts'
import type { SortKey } from '../rows/cursor.ts'

type Order = { keys: SortKey[]; direction: 'asc' | 'desc' }

/** A video without the sorted value comes last. */
export function orderBy(sql: Queryable, sort: VideoSort): Order {
  const id: SortKey = { by: sql`entry.id`, type: 'integer' }
  const by = (key: SortKey, direction: Order['direction']): Order => ({ keys: [key, id], direction })
  switch (sort) {
    case 'newest':
      return by({ by: sql`entry.sort_at`, type: 'time' }, 'desc')
    case 'oldest':
      return by({ by: sql`entry.sort_at`, type: 'time' }, 'asc')
    case 'longest':
      return by({ by: sql`coalesce(entry.duration_seconds, -1)`, type: 'integer' }, 'desc')
    case 'shortest':
      return by({ by: sql`coalesce(entry.duration_seconds, 2147483647)`, type: 'integer' }, 'asc')
    case 'largest':
      return by({ by: sql`coalesce(entry.file_size, -1)`, type: 'integer' }, 'desc')
  }
}

/**
 * A list by date begins with this month or year and goes on beyond it; in another order it has only this month or year. They begin in
 * UTC, so that an address shows the same list to everyone.
 */
export function fromMonth(sql: Queryable, month: string | undefined, sort: VideoSort): Piece {
  if (month === undefined) return sql`true`
  const [start, end] = spanOf(month)
  switch (sort) {
    case 'newest':
      return sql`entry.sort_at < ${end}`
    case 'oldest':
      return sql`entry.sort_at >= ${start}`
    case 'longest':
    case 'shortest':
    case 'largest':
      return sql`entry.sort_at >= ${start} and entry.sort_at < ${end}`
  }
}

/** `month`: "2025-04", or "2025" for the whole year. */
function spanOf(month: string): [Date, Date] {
  const [year = 0, nth] = month.split('-').map(Number)
  return nth === undefined
    ? [new Date(Date.UTC(year, 0)), new Date(Date.UTC(year + 1, 0))]
    : [new Date(Date.UTC(year, nth - 1)), new Date(Date.UTC(year, nth))]
}
