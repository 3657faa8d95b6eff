/**
 * Makes a schema refuse fields that it does not name: where a field narrows what a request does, a misspelled one must not widen it. Pure.
 */
import { z } from 'zod'

/** The parts of a schema's definition that are schemas themselves. Other parts, such as defaults, are values. */
const parts = ['shape', 'options', 'items', 'element', 'innerType', 'in', 'out', 'valueType']

/** The schema with every object in it strict, but for those that are loose on purpose. Keeps descriptions. */
export function strict<Schema extends z.ZodType>(schema: Schema): Schema {
  const { def } = schema
  const changes = parts.flatMap(name => {
    const part = (def as unknown as Record<string, unknown>)[name]
    const strict_part = strictPart(part)
    return strict_part === part ? [] : [[name, strict_part] as const]
  })
  const is_open = schema instanceof z.ZodObject && schema.def.catchall === undefined
  if (changes.length === 0 && !is_open) return schema
  const made = schema.clone({ ...def, ...Object.fromEntries(changes), ...(is_open && { catchall: z.never() }) })
  const { id: _, ...described } = z.globalRegistry.get(schema) ?? {}
  z.globalRegistry.add(made, described)
  return made
}

/** A schema, or a list or an object of schemas. The same value when nothing changes. */
function strictPart(part: unknown): unknown {
  if (part instanceof z.ZodType) return strict(part)
  if (typeof part !== 'object' || part === null) return part
  const entries = Object.entries(part).map(([key, value]) => [key, strictPart(value), value] as const)
  if (entries.every(([, made, value]) => made === value)) return part
  return Array.isArray(part)
    ? entries.map(([, made]) => made)
    : Object.fromEntries(entries.map(([key, made]) => [key, made]))
}
