/** Whether a password that somebody chooses may be theirs; how long it must be stands in its schema. */
import { isCommon } from '../../auth/common-passwords.ts'
import { DomainError } from '../../errors.ts'

type Chosen = { username: string; password: string }

/** Throws `invalid`, with a sentence at the field, for what is guessed first. */
export function requireGoodPassword(chosen: Chosen): void {
  const fault = faultOf(chosen)
  if (fault) throw new DomainError('invalid', fault, { fields: { password: fault } })
}

function faultOf({ username, password }: Chosen): string | undefined {
  if (password.toLowerCase() === username.toLowerCase()) return 'Use something else than your name.'
  if (isCommon(password)) return 'Many people have had this password, so it is tried first. Choose another.'
  return undefined
}
