/** Refuses new passwords that are easy to guess. Their length is checked by the `Password` schema. */
import { isCommon } from '../../auth/common-passwords.ts'
import { DomainError } from '../../errors.ts'

type Chosen = { username: string; password: string }

/** Throws `invalid`, with a sentence at the field `password`. */
export function requireGoodPassword(chosen: Chosen): void {
  const fault = faultOf(chosen)
  if (fault) throw new DomainError('invalid', fault, { fields: { password: fault } })
}

function faultOf({ username, password }: Chosen): string | undefined {
  if (password.toLowerCase() === username.toLowerCase()) return "Don't use your username as the password."
  if (isCommon(password)) return 'This password is too common. Choose another.'
  return undefined
}
