/** From a table of operations to an OpenAPI 3.1 document. */
import type { z } from 'zod'
import { type ErrorStatus, titles } from '../../errors.ts'
import { Problem } from '../../schema/api.ts'
import { inputShape, outputShape, querySchema, referTo, type Shape } from './json-schema.ts'
import { words } from './openapi-words.ts'
import type { Operation } from './operation.ts'

/** The keys of `operations` are a method and a path below `/api`. */
export function documentOf(operations: Record<string, Operation>) {
  const schemas: Record<string, Shape> = {}
  outputShape(Problem, schemas)
  const paths = pathsOf(operations, schemas)
  const used = new Set(Object.keys(paths).map(tagOf))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Backlot',
      version: '1',
      description: introduction,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/api', description: 'This server' }],
    tags: [...used].toSorted().map(name => ({ name, description: tags[name] })),
    components: {
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'session',
          description: 'Made by signing in at /login. Behind https it is called __Host-session.',
        },
        token: {
          type: 'http',
          scheme: 'bearer',
          description: 'Made under Settings, API tokens. One that only reads is refused everything but GET.',
        },
      },
      schemas,
    },
    security: [{ session: [] }, { token: [] }],
    paths,
  }
}

const introduction = [
  'Follow video channels, keep their videos. Everything is yours alone: what belongs to somebody else is simply not there.',
  'Bring a token as `Authorization: Bearer backlot_…`; it is made on the page `/settings/tokens`, and shown once.',
  'A list comes in pages: ask again with its `next_cursor` as `cursor`, and everything else the same, until that is null.',
  'Files stand beside this API, for the same tokens: `/stream/<video_id>` plays, `/download/<video_id>` saves, both with single ranges, `ETag` and HEAD. They are 404 until `download_status` is `completed`; ask `/api/download/status` for that every second or two.',
  'Times are RFC 3339 in UTC. What is refused is refused with problem details (RFC 9457): `detail` is a sentence for people, `errors` has one for each field that does not fit. After a 429 or 503, wait for as long as `Retry-After` says; after a 405, `Allow` names what is possible.',
  'Requests with `HX-Request: true` are answered, and refused, with pieces of pages: leave that header out.',
].join('\n\n')

const tags: Record<string, string> = {
  account: 'Who you are',
  channels: 'What you follow',
  discover: 'What can be followed at an address',
  download: 'Files: asking for them, and where they stand',
  downloads: 'All of them, shelf by shelf',
  export: 'Taking the list of channels along',
  feed: 'A feed by itself',
  health: 'How the service is doing',
  history: 'The videos of a channel',
  import: 'Bringing a list of channels',
  search: 'Over all titles and descriptions',
  settings: 'What you chose',
  videos: 'Over all channels: the newest, the unseen, those you have begun',
}
const tagOf = (path: string) => path.split('/')[1] ?? ''

function pathsOf(all: Record<string, Operation>, schemas: Record<string, Shape>) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [name, operation] of Object.entries(all)) {
    const [method = '', path = ''] = name.split(' ')
    paths[path] = { ...paths[path], [method]: describe(method, path, operation, schemas) }
  }
  return paths
}

function describe(method: string, path: string, operation: Operation, schemas: Record<string, Shape>) {
  const { summary, description, query, body, files = [], responses } = operation
  const parameter = (name: string, where: 'path' | 'query', schema: Shape, is_required: boolean) => ({
    name,
    in: where,
    ...(words[name] && { description: words[name].says }),
    ...(is_required && { required: true }),
    schema,
    ...(words[name]?.example !== undefined && { example: words[name].example }),
  })
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) =>
    parameter(name, 'path', { type: 'string' }, true),
  )
  const inQuery = Object.entries<z.ZodType>(query?.shape ?? {}).map(([name, schema]) =>
    parameter(name, 'query', querySchema(schema), !schema.safeParse(undefined).success),
  )
  const said = Object.entries(responses).map(([status, { description, schema, html }]) => {
    const json = schema && { 'application/json': { schema: outputShape(schema, schemas) } }
    const content = { ...json, ...(html && { 'text/html': { schema: { type: 'string', description: html } } }) }
    return [status, { description, ...(Object.keys(content).length > 0 && { content }) }]
  })
  return {
    operationId: operationId(method, path),
    tags: [tagOf(path)],
    summary,
    ...(description !== undefined && { description }),
    parameters: [...inPath, ...inQuery],
    ...(body && { requestBody: { required: true, content: contentOf(body, files) } }),
    responses: { ...Object.fromEntries(said), ...refusals(method, path, operation) },
  }
}

const contentOf = (body: z.ZodType, files: string[]) => ({
  'application/json': { schema: inputShape(body) },
  ...Object.fromEntries(files.map(type => [type, { schema: { type: 'string', format: 'binary' } }])),
})

const operationId = (method: string, path: string) =>
  [method, ...path.split(/[^a-z_]+/i).filter(Boolean)].join('_').replaceAll('-', '_')

/** What may be refused follows from what is asked for; the rest each operation says itself. */
function refusals(method: string, path: string, { query, body, errors = [] }: Operation) {
  const statuses: ErrorStatus[] = [
    ...([401, 421, 429, 503] as const),
    ...(method === 'get' ? [] : ([403, 413, 415] as const)),
    ...(path.includes('{') ? ([400, 404] as const) : []),
    ...(query ? ([400, 422] as const) : []),
    ...(body ? ([400, 422] as const) : []),
    ...errors,
  ]
  return Object.fromEntries(
    [...new Set(statuses)].map(status => [
      status,
      {
        description: titles[status],
        ...([429, 503].includes(status) && { headers: { 'Retry-After': retry_after } }),
        content: { 'application/problem+json': { schema: referTo('Problem') } },
      },
    ]),
  )
}

const retry_after = { description: 'Seconds to wait', schema: { type: 'integer' } }
