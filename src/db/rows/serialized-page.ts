/** A page of videos as JSON, which the API sends without making objects of the rows. */
import { SerializedJson } from '../../runtime/json.ts'
import type { UserId } from '../../schema/values/user.ts'
import type { Queryable } from '../postgres/client.ts'
import { placesInQueue } from '../queue/places.ts'
import { encodeCursor } from './cursor.ts'
import type { SerializedRows } from './serialized-rows.ts'

export type SerializedPage = {
  /** The array `entries`. */
  entries: SerializedJson
  next_cursor: string | null
}

/** A page of `limit` rows of those that `rowsFor` asked for, with the places of waiting downloads in the queue. Select `place` last. */
export async function serializedPageOf(
  sql: Queryable,
  user_id: UserId,
  { rows, fieldsOf, textOf }: SerializedRows,
  limit: number,
): Promise<SerializedPage> {
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  const end = last && textOf(last, 'place')
  const waiting = shown.filter(row => textOf(row, 'queued') === 't').map(row => textOf(row, 'video_id') ?? '')
  const places = waiting.length === 0 ? new Map<string, number>() : await placesInQueue(sql, user_id, waiting)
  const placeOf = (row: (typeof rows)[number]) =>
    places.size === 0 ? null : (places.get(textOf(row, 'video_id') ?? '') ?? null)
  const entries = shown.map(row => `{${fieldsOf(row)},"queue_position":${placeOf(row)}}`)
  return {
    entries: new SerializedJson(Buffer.from(`[${entries.join(',')}]`, 'latin1')),
    next_cursor: end ? encodeCursor([end]) : null,
  }
}
