/** Answers with JSON of which a part is written already. */
import type { Context } from 'hono'
import { WrittenJson } from '../../runtime/json.ts'

/** `fields`: of the object; each is a `WrittenJson`, or a value to be written. */
export const writtenAnswer = (c: Context, fields: Record<string, unknown>): Response =>
  c.body(WrittenJson.object(fields).bytes, 200, { 'Content-Type': 'application/json' })
