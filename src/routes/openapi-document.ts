/** From a table of operations to an OpenAPI 3.1 document. */
import { z } from 'zod'
import { Problem } from '../schema/api.ts'

export type Operation = {
  summary: string
  query?: z.ZodObject
  body?: z.ZodType
  /** By status; `null`: no body. */
  answers: Record<number, { says: string; schema: z.ZodType | null }>
}

const reference = { $ref: '#/components/schemas/Problem' }

/** The keys of `operations` are a method and a path below `/api`. */
export const documentOf = (operations: Record<string, Operation>) => ({
  openapi: '3.1.0',
  info: { title: 'Backlot', version: '1', description: 'Follow video channels, keep their videos.' },
  servers: [{ url: '/api' }],
  components: {
    securitySchemes: {
      session: { type: 'apiKey', in: 'cookie', name: 'session' },
      token: {
        type: 'http',
        scheme: 'bearer',
        description: 'Made under Settings, API tokens. One that only reads is refused everything but GET.',
      },
    },
    schemas: { Problem: shapeOf(Problem, 'output') },
  },
  security: [{ session: [] }, { token: [] }],
  paths: pathsOf(operations),
})

function pathsOf(all: Record<string, Operation>) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [name, operation] of Object.entries(all)) {
    const [method = '', path = ''] = name.split(' ')
    paths[path] = { ...paths[path], [method]: describe(path, operation) }
  }
  return paths
}

function describe(path: string, { summary, query, body, answers }: Operation) {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const inQuery = Object.entries(query?.shape ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    schema: shapeOf(schema as z.ZodType, 'input'),
  }))
  const said = Object.entries(answers).map(([status, { says, schema }]) => [
    status,
    { description: says, ...(schema && { content: { 'application/json': { schema: shapeOf(schema, 'output') } } }) },
  ])
  const problem = { description: 'Refused', content: { 'application/problem+json': { schema: reference } } }
  return {
    summary,
    parameters: [...inPath, ...inQuery],
    ...(body && {
      requestBody: { required: true, content: { 'application/json': { schema: shapeOf(body, 'input') } } },
    }),
    responses: { ...Object.fromEntries(said), default: problem },
  }
}

/** A date is text to JSON. */
function shapeOf(schema: z.ZodType, io: 'input' | 'output') {
  const { $schema: _, ...shape } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema._zod.def.type === 'date') Object.assign(jsonSchema, { type: 'string', format: 'date-time' })
    },
  })
  return shape
}
