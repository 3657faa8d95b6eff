/**
 * Turns zod schemas into JSON Schema for OpenAPI 3.1. In responses, a schema with an `id` is written once, under
 * `components`, and referred to from everywhere else.
 */
import { z } from 'zod'

export type Shape = Record<string, unknown>

/**
 * A request may leave out fields that have a default, so its schemas differ from those of responses under the same `id`.
 * They are written in place instead.
 */
const without_ids: typeof z.globalRegistry = Object.assign(z.registry<z.core.GlobalMeta>(), {
  get(schema: z.core.$ZodType) {
    const { id: _, ...meta } = z.globalRegistry.get(schema) ?? {}
    return meta
  },
})

export const requestShape = (schema: z.ZodType): Shape => shapeOf(schema, 'input', without_ids)

/** Adds the schemas with an `id` to `components`. */
export function responseShape(schema: z.ZodType, components: Record<string, Shape>): Shape {
  const { $defs = {}, ...shape } = shapeOf(schema, 'output', z.globalRegistry)
  for (const [id, inner] of Object.entries($defs as Record<string, Shape>)) components[id] = withoutId(inner)
  const id = z.globalRegistry.get(schema)?.id
  if (id === undefined || '$ref' in shape) return shape
  components[id] = withoutId(shape)
  return referTo(id)
}

export const referTo = (id: string): Shape => ({ $ref: `#/components/schemas/${id}` })

const withoutId = ({ id: _, ...shape }: Shape): Shape => shape

function shapeOf(schema: z.ZodType, io: 'input' | 'output', metadata: typeof z.globalRegistry): Shape {
  const { $schema: _, ...shape } = z.toJSONSchema(schema, {
    io,
    metadata,
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      // JSON has no dates.
      if (zodSchema._zod.def.type === 'date') Object.assign(jsonSchema, { type: 'string', format: 'date-time' })
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
    },
  })
  return JSON.parse(JSON.stringify(shape).replaceAll('"#/$defs/', '"#/components/schemas/'))
}

/** A query parameter: an empty value counts as absent, and a list is a parameter that is repeated. */
export function parameterShape(schema: z.ZodType): Shape {
  const { anyOf, description: _, examples: __, ...rest } = requestShape(schema)
  if (!Array.isArray(anyOf)) return rest
  const lists = anyOf.filter(one => one.type === 'array')
  const [only, ...others] = lists.length > 0 ? lists : anyOf.filter(one => one.const !== '')
  return others.length > 0 ? { ...rest, anyOf: [only, ...others] } : { ...rest, ...only }
}
