/**
 * Makes the OpenAPI 3.1 document from operations, and JSON Schema from their zod schemas. Error responses follow from the method, path,
 * query and body.
 */
import { z } from 'zod'
import { type ErrorStatus, titles } from '../../errors.ts'
import { InvitationId, PersonName } from '../../schema/admin/admin.ts'
import { CookieHost } from '../../schema/downloads/site-cookies.ts'
import { Problem } from '../../schema/http/problem.ts'
import { LinkId } from '../../schema/links/link.ts'
import { MediaServerId } from '../../schema/media/media-server.ts'
import { TargetId } from '../../schema/notifications/target.ts'
import { PodcastId } from '../../schema/podcasts/podcast.ts'
import { ChannelId, GroupId, ImportId, PlaylistId, SavedSearchId, VideoId } from '../../schema/values/fields.ts'
import type { Operation } from './operation.ts'

/** The keys of `operations` are a method and a path below `/api`. */
export function documentOf(operations: Record<string, Operation>) {
  const schemas: Record<string, Shape> = {}
  responseShape(Problem, schemas)
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
          description:
            'Set by signing in at /login. Over https its name is __Host-session, below a path __Secure-session.',
        },
        token: {
          type: 'http',
          scheme: 'bearer',
          description: 'Created in the settings, under API tokens. A read-only token may send GET requests only.',
        },
      },
      schemas,
    },
    security: [{ session: [] }, { token: [] }],
    paths,
  }
}

const introduction = [
  'Follow video channels and download their videos. You only see your own data.',
  'Send the token as `Authorization: Bearer backlot_…`. Create it on the page `/settings/tokens`, which shows it once.',
  'Lists have pages. Send `next_cursor` as `cursor`, with the same other parameters, until it is null.',
  'Files are next to this API and accept the same tokens: `/stream/<video_id>` plays and `/download/<video_id>` saves. Both support single ranges, `ETag` and HEAD, and answer 404 until `download_status` is `completed`. To wait for that, poll `/api/download/status` every second or two.',
  'Times are RFC 3339 in UTC. Errors use problem details (RFC 9457): `detail` is a sentence for people, and `errors` has one for each invalid field. After a 429 or 503, wait as long as `Retry-After` says. After a 405, `Allow` lists the methods of the address.',
  'Do not send `HX-Request: true`: it asks for parts of pages instead of JSON.',
].join('\n\n')

const tags: Record<string, string> = {
  account: 'Your account',
  admin: 'People, invitations and the log, for administrators',
  archive: 'Everything you have, as one file',
  bin: 'Deleted files and unfollowed channels that can be restored',
  channels: 'The channels you follow',
  cookies: 'Your cookies for sites that show some videos only to their members',
  discover: 'Find the feeds behind an address',
  download: 'Request downloads and read their status',
  downloads: 'All downloads, by shelf',
  export: 'Export the list of your channels',
  feed: 'Show or save a single feed',
  groups: 'Groups of channels',
  health: 'The state of the service',
  history: 'The videos of a channel',
  import: 'Import a list of channels',
  links: 'Links that open a video without a sign-in',
  'media-servers': 'Your Jellyfin, Emby and Plex',
  notifications: 'The targets of your notifications',
  playlists: 'Your own lists of videos, in the order you give them',
  podcasts: 'Podcasts of your videos on disk',
  rules: 'Auto-download rules for several channels and for new ones',
  search: 'Search in titles, descriptions and what is said',
  searches: 'Searches that you saved',
  segments: 'The parts of a video that the player skips',
  settings: 'Your settings',
  space: 'What takes the disk, and deleting what was watched',
  transcript: 'What is said in a video, line by line',
  videos: 'The videos of all channels: new, unwatched, unfinished',
  watched: 'What you watched, the newest first',
}
const tagOf = (path: string) => path.split(/[/.]/)[1] ?? ''

function pathsOf(all: Record<string, Operation>, schemas: Record<string, Shape>) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [name, operation] of Object.entries(all)) {
    const [method = '', path = ''] = name.split(' ')
    paths[path] = { ...paths[path], [method]: describe(method, path, operation, schemas) }
  }
  return paths
}

function describe(method: string, path: string, operation: Operation, schemas: Record<string, Shape>) {
  const { summary, description, query, body, is_body_optional = false, files = [], responses } = operation
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    in: 'path',
    ...parameter(name, ids[name] ?? z.string()),
  }))
  const inQuery = Object.entries<z.ZodType>(query?.shape ?? {}).map(([name, schema]) => ({
    in: 'query',
    ...parameter(name, schema),
  }))
  const answers = Object.entries(responses).map(([status, { description, schema, html, type }]) => {
    const json = schema && { 'application/json': { schema: responseShape(schema, schemas) } }
    const text = type && { [type]: { schema: { type: 'string' } } }
    const content = {
      ...json,
      ...text,
      ...(html && { 'text/html': { schema: { type: 'string', description: html } } }),
    }
    return [status, { description, ...(Object.keys(content).length > 0 && { content }) }]
  })
  return {
    operationId: [method, ...path.split(/[^a-z_]+/i).filter(Boolean)].join('_'),
    tags: [tagOf(path)],
    summary,
    ...(description !== undefined && { description }),
    parameters: [...inPath, ...inQuery],
    ...((body || files.length > 0) && {
      requestBody: { required: !is_body_optional, content: contentOf(body, files) },
    }),
    responses: { ...Object.fromEntries(answers), ...errorsOf(method, path, operation) },
  }
}

/** The parameters that may appear in a path. */
const ids: Record<string, z.ZodType> = {
  video_id: VideoId,
  channel_id: ChannelId,
  import_id: ImportId,
  group_id: GroupId,
  podcast_id: PodcastId,
  link_id: LinkId,
  target_id: TargetId,
  server_id: MediaServerId,
  playlist_id: PlaylistId,
  saved_search_id: SavedSearchId,
  username: PersonName,
  invitation_id: InvitationId,
  host: CookieHost,
}

function parameter(name: string, schema: z.ZodType) {
  const { description, examples } = z.globalRegistry.get(schema) ?? {}
  return {
    name,
    description,
    ...(!schema.safeParse(undefined).success && { required: true }),
    schema: parameterShape(schema),
    ...(Array.isArray(examples) && { example: examples[0] }),
  }
}

const contentOf = (body: z.ZodType | undefined, files: string[]) => ({
  ...(body && { 'application/json': { schema: requestShape(body) } }),
  ...Object.fromEntries(files.map(type => [type, { schema: { type: 'string', format: 'binary' } }])),
})

function errorsOf(method: string, path: string, { query, body, errors = [] }: Operation) {
  const always: ErrorStatus[] = [401, 403, 421, 429, 503]
  const writing: ErrorStatus[] = method === 'get' ? [] : [413, 415, 507]
  const naming: ErrorStatus[] = path.includes('{') ? [400, 404] : []
  const parsing: ErrorStatus[] = query || body ? [400, 422] : []
  const hidden: ErrorStatus[] = tagOf(path) === 'admin' ? [404] : []
  const statuses = new Set([...always, ...writing, ...naming, ...parsing, ...hidden, ...errors])
  return Object.fromEntries(
    [...statuses].map(status => [
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

type Shape = Record<string, unknown>

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

const requestShape = (schema: z.ZodType): Shape => shapeOf(schema, 'input', without_ids)

/** A schema with an `id` is written once, under `components`, and referred to from everywhere else. */
function responseShape(schema: z.ZodType, components: Record<string, Shape>): Shape {
  const { $defs = {}, ...shape } = shapeOf(schema, 'output', z.globalRegistry)
  for (const [id, inner] of Object.entries($defs as Record<string, Shape>)) components[id] = withoutId(inner)
  const id = z.globalRegistry.get(schema)?.id
  if (id === undefined || '$ref' in shape) return shape
  components[id] = withoutId(shape)
  return referTo(id)
}

const referTo = (id: string): Shape => ({ $ref: `#/components/schemas/${id}` })

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
function parameterShape(schema: z.ZodType): Shape {
  const { anyOf, description: _, examples: __, ...rest } = requestShape(schema)
  if (!Array.isArray(anyOf)) return rest
  const lists = anyOf.filter(one => one.type === 'array')
  const [only, ...others] = lists.length > 0 ? lists : anyOf.filter(one => one.const !== '')
  return others.length > 0 ? { ...rest, anyOf: [only, ...others] } : { ...rest, ...only }
}
