/** How a list, a history or an archive is refused. */
import { DomainError } from '../../errors.ts'

/** The sentence also appears at the field of the form. */
export const listRefusal = (message: string, code: 'invalid' | 'too_large' = 'invalid', cause?: unknown) =>
  new DomainError(code, message, { fields: { text: message }, cause })
