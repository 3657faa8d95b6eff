/** Checks exchanges with the API against its OpenAPI document. */
import { Ajv2020, type AnySchema, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { type ApiDeps, api } from '../../../src/routes/api.tsx'
import { documentOf } from '../../../src/routes/http/openapi.ts'
import { operationsOf } from '../../../src/routes/http/operation.ts'

type Content = Record<string, { schema: AnySchema }>
type Described = {
  requestBody?: { content: Content }
  responses: Record<string, { content?: Content }>
}
/** The document of the routes. No handler runs, so their dependencies may be missing. */
export const operations = operationsOf(api({ bin: {}, config: {} } as ApiDeps).routes)
export const document = documentOf(operations)

const described = Object.entries(document.paths as Record<string, Record<string, Described>>).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation, fits: patternOf(path) })),
)

/** The document does not describe itself or its page. */
const about_itself = /^\/api\/(openapi\.json|docs)$/

type Exchange = {
  method: string
  path: string
  body?: unknown
  status: number
  type: string | null
  text: string
}

/** The differences of an exchange from the document. */
export function driftOf({ method, path, body, status, type, text }: Exchange): string[] {
  if (about_itself.test(path)) return []
  const called = method === 'HEAD' ? 'get' : method.toLowerCase()
  const named = described.filter(({ fits }) => fits.test(path))
  const operation = named.filter(one => one.method === called).toSorted((a, b) => literal(b.path) - literal(a.path))[0]
  const what = `${method} ${path} → ${status}`
  if (!operation)
    return [400, 401, 403, 404, 405, 413, 415, 429].includes(status) ? [] : [`${what}: not in the document`]
  const answer = operation.operation.responses[status]
  if (!answer) return [`${what}: ${operation.path} does not describe this status`]
  return [
    ...answerDrift(answer.content, type, method === 'HEAD' ? '' : text),
    ...(status < 300 && body !== undefined ? requestDrift(operation.operation, body) : []),
  ].map(fault => `${what}: ${fault}`)
}

function answerDrift(content: Content | undefined, type: string | null, text: string): string[] {
  const bare = type?.split(';')[0] ?? ''
  if (!content) return text === '' ? [] : ['a body that is not described']
  const schema = content[bare]?.schema
  if (!schema) return [`${bare || 'no type'}, but the document describes ${Object.keys(content)}`]
  if (!bare.endsWith('json') || text === '') return []
  return faultsOf(schema, JSON.parse(text))
}

function requestDrift({ requestBody }: Described, body: unknown): string[] {
  const schema = requestBody?.content['application/json']?.schema
  if (!schema) return []
  return faultsOf(schema, body).map(fault => `accepted a body that is invalid by the document: ${fault}`)
}

const ajv = addFormats.default(new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true }))
ajv.addKeyword('example')
ajv.addSchema({ $id: 'document', components: document.components }, 'document')
ajv.addVocabulary(['components'])
const compiled = new Map<AnySchema, ValidateFunction>()

function faultsOf(schema: AnySchema, value: unknown): string[] {
  const validate = compiled.get(schema) ?? ajv.compile(anchored(schema))
  compiled.set(schema, validate)
  if (validate(value)) return []
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath || 'the body'} ${message} ${JSON.stringify(params)}`,
  )
}

const anchored = (schema: AnySchema): AnySchema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"document#/components'))

/** Prefers `/download/batch` to `/download/{video_id}`, because both match. */
const literal = (path: string) => path.split('/').filter(part => !part.startsWith('{')).length

function patternOf(path: string): RegExp {
  return new RegExp(`^/api${path.replace(/\{\w+\}/g, '[^/]+')}$`)
}
