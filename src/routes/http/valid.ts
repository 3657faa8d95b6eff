/**
 * Parses a part of a request by its schema. A request that does not fit is refused, with a sentence for each field. A route shows a refused
 * form again with the reason; `onError` answers all other refusals.
 */
import { zValidator } from '@hono/zod-validator'
import type { Context, ValidationTargets } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { HtmlEscapedString } from 'hono/utils/html'
import type { ZodType } from 'zod'
import { DomainError, type ErrorCode } from '../../errors.ts'
import { no_such_field } from '../../schema/http/problem.ts'
import type { Env } from './context.ts'

/** `again` shows a refused form again; without it the refusal is thrown. */
export const valid = <T extends ZodType, Target extends keyof ValidationTargets>(
  target: Target,
  schema: T,
  again?: ShowAgain,
) =>
  zValidator(target, schema, (result, c) => {
    if (result.success) return
    const refusal = new DomainError('invalid', 'Some values are not valid.', {
      fields: fieldsOf(result.error.issues),
    })
    if (again) return again(c as unknown as Context<Env>, refusal, Object(result.data))
    throw refusal
  })

type Path = readonly PropertyKey[]
type Issue = { path: Path; message: string; code?: string; keys?: string[]; errors?: readonly (readonly Issue[])[] }

/** The first fault of each field. */
export const fieldsOf = (issues: readonly Issue[]): Record<string, string> =>
  Object.fromEntries(issues.flatMap(issue => faultsIn(issue)).toReversed())

type Fault = [field: string, sentence: string]

function faultsIn({ path, message, keys, errors = [] }: Issue, above: Path = []): Fault[] {
  const place = [...above, ...path]
  if (keys) return keys.map(key => [[...place, key].map(String).join('.'), no_such_field])
  const unknown = unknownIn(errors.map(form => form.flatMap(issue => faultsIn(issue, place))))
  return unknown.length > 0 ? unknown : [[place.map(String).join('.') || 'body', message]]
}

/** The unknown fields of a union: those of the form that fits otherwise, else those unknown to every form. */
function unknownIn(forms: Fault[][]): Fault[] {
  const fits = forms.find(form => form.every(([, sentence]) => sentence === no_such_field))
  const isInAll = ([field, sentence]: Fault) =>
    sentence === no_such_field && forms.every(form => form.some(fault => fault[0] === field))
  return fits ?? forms[0]?.filter(isInAll) ?? []
}

/** Names `field` in a refusal that is about its value. */
export const atField = <T>(field: string, work: Promise<T>): Promise<T> =>
  work.catch((fault: unknown) => {
    if (!(fault instanceof DomainError) || fault.status !== 422) throw fault
    throw new DomainError(fault.code, fault.message, { cause: fault, fields: { [field]: fault.message } })
  })

/** The fields of a form as they were sent, not yet checked. */
export type FormFields = Record<string, unknown>

/** A field as it was typed. One that is not text, such as a file, is not shown again. */
export const textIn = (field: unknown, otherwise = ''): string => (typeof field === 'string' ? field : otherwise)

/** Shows a form again, with the reason and with what was typed. */
type ShowAgain = (c: Context<Env>, refusal: DomainError, fields: FormFields) => Response | Promise<Response>

/** The result of `work`, or its refusal, which the route answers: a refusal with one of `codes`, or any. Throws everything else. */
export async function orRefusal<T>(work: Promise<T>, codes?: ErrorCode[]): Promise<T | DomainError> {
  try {
    return await work
  } catch (fault) {
    if (!(fault instanceof DomainError) || (codes && !codes.includes(fault.code))) throw fault
    return fault
  }
}

/** Answers with the page of a form; after a refusal with its status and the time to wait. */
export function formPage(
  c: Context<Env>,
  page: HtmlEscapedString | Promise<HtmlEscapedString>,
  refusal: DomainError | undefined,
): Response | Promise<Response> {
  if (refusal) setRetryAfter(c, refusal)
  return c.render(page, refusal?.status ?? 200)
}

/** A sentence for each field; a refusal that names no field is shown at `field`. */
export const errorsAt = (field: string, refusal: DomainError | undefined): Record<string, string> =>
  refusal && !namesField(refusal) ? { [field]: refusal.message } : (refusal?.fields ?? {})

/** The sentence above a form, when the refusal names no field. */
export const errorAbove = (refusal: DomainError | undefined): string | undefined =>
  refusal && !namesField(refusal) ? refusal.message : undefined

const namesField = ({ fields }: DomainError) => Object.keys(fields).length > 0

export function setRetryAfter(c: Context<Env>, { retry_after_s }: DomainError): void {
  if (retry_after_s !== undefined) c.header('Retry-After', String(retry_after_s))
}

/** Refuses bodies other than JSON: a form on another site can send other types without a preflight request. */
export const jsonOnly = createMiddleware(async (c, next) => {
  const header = (name: string) => c.req.header(name)
  const length = header('content-length')
  // Judged by headers, because some servers give a request without a body an empty stream.
  const is_empty = length === '0' || (!length && !header('transfer-encoding') && !header('content-type'))
  if (!is_empty && !/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(header('content-type') ?? '')) {
    throw new DomainError('unsupported_type', 'Send this as application/json.')
  }
  await next()
})
