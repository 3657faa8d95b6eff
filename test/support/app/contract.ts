/** Holds what the API takes and gives against its own OpenAPI document. */
import { Ajv2020, type AnySchema, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { type ApiDeps, api } from '../../../src/routes/api/api.ts'
import { documentOf } from '../../../src/routes/api/openapi.ts'
import { operationsOf } from '../../../src/routes/api/operation.ts'

type Content = Record<string, { schema: AnySchema }>
type Told = {
  requestBody?: { content: Content }
  responses: Record<string, { content?: Content }>
}
/** Read from the routes alone. No handler runs, so their dependencies may be missing. */
export const operations = operationsOf(api({} as ApiDeps).routes)
export const document = documentOf(operations)

const told = Object.entries(document.paths as Record<string, Record<string, Told>>).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method, path, operation, fits: patternOf(path) })),
)

/** The document itself, and nothing that it names. */
const of_itself = /^\/api\/(openapi\.json|docs)$/

export type Exchange = {
  method: string
  path: string
  body?: unknown
  status: number
  type: string | null
  text: string
}

/** What of one exchange the document does not say. Empty: it says it all. */
export function driftOf({ method, path, body, status, type, text }: Exchange): string[] {
  if (of_itself.test(path)) return []
  const asked = method === 'HEAD' ? 'get' : method.toLowerCase()
  const named = told.filter(({ fits }) => fits.test(path))
  const operation = named.filter(one => one.method === asked).toSorted((a, b) => literal(b.path) - literal(a.path))[0]
  const what = `${method} ${path} → ${status}`
  if (!operation)
    return [400, 401, 403, 404, 405, 413, 415, 429].includes(status) ? [] : [`${what}: not in the document`]
  const answer = operation.operation.responses[status]
  if (!answer) return [`${what}: ${operation.path} does not say that it answers so`]
  return [
    ...answerDrift(answer.content, type, method === 'HEAD' ? '' : text),
    ...(status < 300 && body !== undefined ? requestDrift(operation.operation, body) : []),
  ].map(fault => `${what}: ${fault}`)
}

function answerDrift(content: Content | undefined, type: string | null, text: string): string[] {
  const bare = type?.split(';')[0] ?? ''
  if (!content) return text === '' ? [] : ['a body that is not documented']
  const schema = content[bare]?.schema
  if (!schema) return [`${bare || 'no type'}, but the document says ${Object.keys(content)}`]
  if (!bare.endsWith('json') || text === '') return []
  return faultsOf(schema, JSON.parse(text))
}

function requestDrift({ requestBody }: Told, body: unknown): string[] {
  const schema = requestBody?.content['application/json']?.schema
  if (!schema) return []
  return faultsOf(schema, body).map(fault => `accepted a body that the document calls wrong: ${fault}`)
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

/** Of two that fit, `/download/batch` is meant before `/download/{video_id}`. */
const literal = (path: string) => path.split('/').filter(part => !part.startsWith('{')).length

function patternOf(path: string): RegExp {
  return new RegExp(`^/api${path.replace(/\{\w+\}/g, '[^/]+')}$`)
}
