/**
 * Describes an operation next to its route. The validators remember their schemas and `operation` remembers the rest;
 * `operationsOf` reads both back from the routes, so method, path, query and body are written once.
 *
 * hono-openapi 1.3 (maintained, for zod 4) works in the same way. It would add seven packages, and most of `openapi.ts` would remain: it
 * does not derive error responses, turns the named schemas of requests into components too, and shows the empty value of a query field as
 * one more alternative. So we kept these lines instead.
 */
import type { MiddlewareHandler } from 'hono'
import type { RouterRoute } from 'hono/types'
import type { ZodObject, ZodType } from 'zod'
import type { ErrorStatus } from '../../errors.ts'
import { strict } from './strict-body.ts'
import { valid } from './valid.ts'

/** `html`: the answer to a request of htmx, in words. `type`: the media type of a text that is no JSON. */
type ResponseDescription = { description: string; schema: ZodType | null; html?: string; type?: string }

export type Operation = {
  summary: string
  description?: string
  /** Given only where programs may send less than the route accepts. */
  query?: ZodObject
  body?: ZodType
  /** A request without a body counts as one with an empty object. */
  is_body_optional?: boolean
  /** Media types of a file that may be sent instead of JSON, or without `body` has to be sent. */
  files?: string[]
  responses: Record<number, ResponseDescription>
  /** Error statuses in addition to those that follow from the method, path, query and body. */
  errors?: ErrorStatus[]
}

const remembered = new WeakMap<object, Partial<Operation>>()

function remember<Handler extends object>(handler: Handler, part: Partial<Operation>): Handler {
  remembered.set(handler, part)
  return handler
}

/** Describes the route that it is the first handler of. */
export const operation = (
  summary: string,
  responses: Operation['responses'],
  more: Omit<Operation, 'summary' | 'responses'> = {},
): MiddlewareHandler => remember((_, next) => next(), { summary, responses, ...more })

/** What the document says of each route for administrators. */
export const for_administrators = 'For administrators; a token needs the scope `admin`.'

const answer =
  (status: number) =>
  (schema: ZodType, description: string, html?: string): Operation['responses'] => ({
    [status]: { description, schema, ...(html !== undefined && { html }) },
  })

export const ok = answer(200)
export const created = answer(201)
export const accepted = answer(202)

/** An answer that is a text of this media type. */
export const okText = (type: string, description: string): Operation['responses'] => ({
  200: { description, schema: null, type },
})

/** An answer without a body. */
export const done = (description: string, status = 204): Operation['responses'] => ({
  [status]: { description, schema: null },
})

export const validQuery = <Schema extends ZodObject>(query: Schema) => remember(valid('query', query), { query })

/** A JSON body that fits `body` and has no other fields: 400 when it is not JSON, 415 for another type, 422 when it does not fit. */
export function validJson<Schema extends ZodType>(schema: Schema) {
  const body = strict(schema)
  return remember(valid('json', body), { body })
}

/** The described operations among these routes, by method and path: `get /channels/{channel_id}/rule`. */
export function operationsOf(routes: RouterRoute[]): Record<string, Operation> {
  const parts = new Map<string, Partial<Operation>>()
  for (const { method, path, handler } of routes) {
    const name = `${method.toLowerCase()} ${path.replace(/:(\w+)/g, '{$1}')}`
    // `operation` is first on its route: what it says replaces what a validator remembers.
    parts.set(name, { ...remembered.get(handler), ...parts.get(name) })
  }
  return Object.fromEntries([...parts].filter((entry): entry is [string, Operation] => 'summary' in entry[1]))
}
