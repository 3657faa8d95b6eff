/** From schemas to JSON Schema as OpenAPI 3.1 has it: what has a name of its own stands under it, once. */
import { z } from 'zod'
import * as api from '../../schema/api.ts'
import { Progress } from '../../schema/download.ts'
import { Saved } from '../../schema/feed.ts'
import { Health } from '../../schema/health.ts'
import { Import, ImportLine } from '../../schema/import.ts'
import { ChannelRule } from '../../schema/rule.ts'
import { Video } from '../../schema/video.ts'
import { words } from './openapi-words.ts'

export type Shape = Record<string, unknown>

/** Only what answers give: a request may leave out what has a default, so it has another shape. */
const names = z.registry<{ id: string }>()
const named = {
  Channel: api.Channel,
  ChannelRule,
  Download: api.Status,
  Health,
  Import,
  ImportLine,
  Progress,
  Saved,
  Video,
}
for (const [id, schema] of Object.entries({ ...named, Settings: api.Settings, Problem: api.Problem }))
  names.add(schema, { id })

/** What a request brings. */
export const inputShape = (schema: z.ZodType): Shape => shapeOf(schema, 'input', nameless_all)

/** What an answer gives; the shapes it refers to go into `components`. */
export function outputShape(schema: z.ZodType, components: Record<string, Shape>): Shape {
  const { $defs = {}, ...shape } = shapeOf(schema, 'output', names)
  for (const [id, inner] of Object.entries($defs as Record<string, Shape>)) components[id] = nameless(inner)
  const id = names.get(schema)?.id
  if (id === undefined || '$ref' in shape) return shape
  components[id] = nameless(shape)
  return referTo(id)
}

export const referTo = (id: string): Shape => ({ $ref: `#/components/schemas/${id}` })

const nameless_all: typeof names = z.registry()
const nameless = ({ id: _, ...shape }: Shape): Shape => shape

function shapeOf(schema: z.ZodType, io: 'input' | 'output', metadata: typeof names): Shape {
  const { $schema: _, ...shape } = z.toJSONSchema(schema, {
    io,
    metadata,
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      // A date is text to JSON.
      if (zodSchema._zod.def.type === 'date') Object.assign(jsonSchema, { type: 'string', format: 'date-time' })
      const said = z.globalRegistry.get(zodSchema)?.description
      if (said !== undefined) jsonSchema.description = said
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
    },
  })
  return JSON.parse(JSON.stringify(shape).replaceAll('"#/$defs/', '"#/components/schemas/'), explained)
}

/** A description for each property that the table of words has, and that has none of its own. */
function explained(key: string, value: unknown): unknown {
  if (key !== 'properties' || typeof value !== 'object' || value === null) return value
  const said = (name: string) => {
    const word = words[name]
    if (!word || word.only_query) return {}
    return { description: word.says, ...(word.example !== undefined && { examples: [word.example] }) }
  }
  return Object.fromEntries(Object.entries(value).map(([name, shape]) => [name, { ...said(name), ...shape }]))
}

/** As a query names it: an empty field counts as not given, and a list is a name given several times. */
export function querySchema(schema: z.ZodType): Shape {
  const { anyOf, ...rest } = inputShape(schema)
  if (!Array.isArray(anyOf)) return rest
  const lists = anyOf.filter(one => one.type === 'array')
  const [only, ...others] = lists.length > 0 ? lists : anyOf.filter(one => one.const !== '')
  return others.length > 0 ? { ...rest, anyOf: [only, ...others] } : { ...rest, ...only }
}
