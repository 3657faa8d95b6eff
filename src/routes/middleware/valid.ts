/** Parsing of what a request brings. What does not fit is refused with a sentence per field. */
import { zValidator } from '@hono/zod-validator'
import type { Context, ValidationTargets } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { ZodType } from 'zod'
import { DomainError } from '../../errors.ts'
import type { Env } from './context.ts'

/** A body of JSON that fits `schema`: 415 for another type, 400 for what is no JSON, 422 for what does not fit. */
export const validJson = <T extends ZodType>(schema: T) => valid('json', schema)

type Refused = { fields: Record<string, string>; given: Record<string, unknown> }

/** `otherwise` answers what does not fit, for a form that is shown again; without it the refusal is thrown. */
export const valid = <T extends ZodType, Target extends keyof ValidationTargets>(
  target: Target,
  schema: T,
  otherwise?: (c: Context<Env>, refused: Refused) => Response | Promise<Response>,
) =>
  zValidator(target, schema, (result, c) => {
    if (result.success) return
    const fields = fieldsOf(result.error.issues)
    if (otherwise) return otherwise(c as unknown as Context<Env>, { fields, given: Object(result.data) })
    throw new DomainError('invalid', 'Some of this is not right.', { fields })
  })

type Issue = { path: readonly PropertyKey[]; message: string }

/** The first fault of each field. */
export const fieldsOf = (issues: readonly Issue[]): Record<string, string> =>
  Object.fromEntries(issues.toReversed().map(({ path, message }) => [path.map(String).join('.') || 'body', message]))

/** What is refused because of one field says so there too. */
export const atField = <T>(field: string, work: Promise<T>): Promise<T> =>
  work.catch((fault: unknown) => {
    if (!(fault instanceof DomainError) || fault.status !== 422) throw fault
    throw new DomainError(fault.code, fault.message, { cause: fault, fields: { [field]: fault.message } })
  })

/** Only JSON may be sent here: a form on a foreign page can send other types without asking first. */
export const jsonOnly = createMiddleware(async (c, next) => {
  const header = (name: string) => c.req.header(name)
  const length = header('content-length')
  // Told by the headers: some servers give a request without a body an empty stream.
  const is_empty = length === '0' || (!length && !header('transfer-encoding') && !header('content-type'))
  if (!is_empty && !/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(header('content-type') ?? '')) {
    throw new DomainError('unsupported_type', 'Send this as application/json.')
  }
  await next()
})
