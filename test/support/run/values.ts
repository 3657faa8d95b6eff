/** Generated values of a schema, so that a field that is new in the schema is tested without a change of the test. */
import * as fc from 'fast-check'
import { z } from 'zod'

type Shape = {
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Shape[]
  allOf?: Shape[]
  items?: Shape
  properties?: Record<string, Shape>
  pattern?: string
  format?: string
  minimum?: number
  maximum?: number
  maxLength?: number
}

/** `known`: values of the fields that a program must understand, such as the name of a time zone, by the names of the fields. */
export const valuesOf = <Schema extends z.ZodObject>(
  schema: Schema,
  known: Record<string, fc.Arbitrary<unknown>>,
): fc.Arbitrary<z.output<Schema>> => {
  const { id: _, ...shape } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return ofShape(shape as Shape, known) as fc.Arbitrary<z.output<Schema>>
}

function ofShape(shape: Shape, known: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<unknown> {
  if (shape.const !== undefined) return fc.constant(shape.const)
  if (shape.enum) return fc.constantFrom(...shape.enum)
  if (shape.anyOf) return fc.oneof(...shape.anyOf.map(one => ofShape(one, known)))
  const types = [shape.type].flat()
  if (types.length > 1) return fc.oneof(...types.map(type => ofShape({ ...shape, type: type ?? '' }, known)))
  switch (shape.type) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'integer':
    case 'number':
      return fc.integer({ min: shape.minimum ?? 0, max: Math.min(shape.maximum ?? 1_000_000, 1_000_000) })
    case 'array':
      return fc.uniqueArray(ofShape(shape.items ?? {}, known), { maxLength: 3 })
    case 'object':
      return fc.record(
        Object.fromEntries(
          Object.entries(shape.properties ?? {}).map(([name, of]) => [name, known[name] ?? ofShape(of, known)]),
        ),
      )
    case 'string':
      return text(shape)
    default:
      throw new Error(`no values for ${JSON.stringify(shape)}`)
  }
}

function text({ allOf, format, pattern, maxLength }: Shape): fc.Arbitrary<string> {
  if (allOf?.some(one => one.pattern?.includes('-02-29'))) return time
  if (format === 'uri') return fc.nat().map(number => `https://videos.example/${number}.xml?a=1&b=%20`)
  if (pattern && !pattern.includes('(?!')) return fc.stringMatching(new RegExp(pattern))
  if (maxLength !== undefined && !pattern) return words(Math.min(maxLength, 2000))
  // A name or a word, which is stored without superfluous spaces.
  return fc.stringMatching(/^[\w'üف-ك]{1,12}(?: [\w'üف-ك]{1,12})?$/)
}

const words = (maxLength: number) =>
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: Math.ceil(maxLength / 20) }).filter(text => text.trim() !== '')

/** In the past, with microseconds, as Postgres writes it. */
const time = fc
  .date({ min: new Date('2006-01-01'), max: new Date('2026-10-01'), noInvalidDate: true })
  .map(date => date.toISOString().replace('Z', '123+00:00'))
