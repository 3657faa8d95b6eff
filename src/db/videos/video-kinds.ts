/** What a video is by its address, its title and its site, as conditions on a row of `video_entries`. */
import type { Piece, Queryable } from '../postgres/client.ts'

/** Whether it was ever a live stream, or is announced as one; null: unknown. As the index of live videos has it. */
export const wasLive = (sql: Queryable, row: Piece) => sql`${row}.live_status in ('upcoming', 'live', 'was_live')`

/** The same as `isShort` of rules, which a test compares. */
export const isShort = (sql: Queryable, row: Piece) => sql`
  (${row}.video_url ~* '^https?://[^/?#]+/shorts/' or ${row}.title ~* '(^|\\s)#shorts?(?![[:alnum:]_])')`
