/** Parses a part of a request by its schema. A request that does not fit is refused, with a sentence for each field. */
import { zValidator } from '@hono/zod-validator'
import type { Context, ValidationTargets } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { ZodType } from 'zod'
import { DomainError } from '../../errors.ts'
import type { Env } from './context.ts'
import type { ShowAgain } from './refused.ts'

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

type Issue = { path: readonly PropertyKey[]; message: string }

/** The first fault of each field. */
export const fieldsOf = (issues: readonly Issue[]): Record<string, string> =>
  Object.fromEntries(issues.toReversed().map(({ path, message }) => [path.map(String).join('.') || 'body', message]))

/** Names `field` in a refusal that is about its value. */
export const atField = <T>(field: string, work: Promise<T>): Promise<T> =>
  work.catch((fault: unknown) => {
    if (!(fault instanceof DomainError) || fault.status !== 422) throw fault
    throw new DomainError(fault.code, fault.message, { cause: fault, fields: { [field]: fault.message } })
  })

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
