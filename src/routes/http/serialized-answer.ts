/** Answers with JSON of which a part is serialized already. */
import type { Context } from 'hono'
import { SerializedJson } from '../../runtime/json.ts'

/** `fields`: of the object; each is a `SerializedJson`, or a value to be serialized. */
export const serializedAnswer = (c: Context, fields: Record<string, unknown>): Response =>
  c.body(SerializedJson.object(fields).bytes, 200, { 'Content-Type': 'application/json' })
