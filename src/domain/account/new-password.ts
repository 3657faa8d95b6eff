/** Refuses new passwords that are easy to guess. Their length is checked by the `Password` schema. */
import { isCommon } from '../../auth/passwords.ts'
import { DomainError } from '../../errors.ts'

type Chosen = { username: string; password: string }

/** Rejects with `invalid`, with a sentence at the field `password`. */
export async function requireGoodPassword(chosen: Chosen): Promise<void> {
  const fault = await faultOf(chosen)
  if (fault) throw new DomainError('invalid', fault, { fields: { password: fault } })
}

async function faultOf({ username, password }: Chosen): Promise<string | undefined> {
  if (password.toLowerCase() === username.toLowerCase()) return "Don't use your username as the password."
  if (await isCommon(password)) return 'This password is too common. Choose another.'
  return undefined
}
