/** Shows a refused form again, with the reason. Routes catch these refusals with `orRefusal`; `onError` answers all others. */
import type { Context } from 'hono'
import type { HtmlEscapedString } from 'hono/utils/html'
import { DomainError, type ErrorCode } from '../../errors.ts'
import type { Env } from './context.ts'

/** The fields of a refused form, as they were sent and not yet checked. */
export type Given = Record<string, unknown>

/** Shows a form again, with the reason and with what was typed. */
export type ShowAgain = (c: Context<Env>, refusal: DomainError, given: Given) => Response | Promise<Response>

/** The result of `work`, or its refusal when the form is shown again for it: for `codes`, or for any. Throws everything else. */
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
  return c.html(page, refusal?.status ?? 200)
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
