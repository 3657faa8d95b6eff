/** A forgotten password: the link that the person who runs the service makes, and what is done with it. */
import type { Sessions } from '../../auth/sessions.ts'
import { newResetToken, resetHash } from '../../auth/tokens.ts'
import type { PasswordResets } from '../../db/accounts/password-resets.ts'
import { DomainError } from '../../errors.ts'
import type { User } from '../../schema/user.ts'
import { requireGoodPassword } from './new-password.ts'
import type { Gate } from './sign-in.ts'
import { requireFewTries, sign_in_window_s } from './tries.ts'

const lasts_s = 3600

/** `undefined`: there is no such account. The token is kept nowhere; an earlier one of the same person works no more. */
export async function makeReset(
  resets: PasswordResets,
  username: string,
): Promise<{ user: User; token: string; expires_at: Date } | undefined> {
  const token = newResetToken()
  const made = await resets.make(username, resetHash(token) ?? '', lasts_s)
  return made && { ...made, token }
}

/** Uses nothing up: programs that preview links open them too. Throws `not_found`. */
export async function personOfReset(resets: PasswordResets, token: string): Promise<User> {
  const hash = resetHash(token)
  const user = hash && (await resets.find(hash))
  if (!user) throw worksNoMore()
  return user
}

type Reset = { token: string; password: string }

/**
 * Works once, and ends every session of the person. API tokens stay: they were never made with the password.
 * Throws `not_found`, `invalid` with a sentence at the field, or `too_many` after 50 failures of one `address`.
 */
export async function resetPassword(
  { accounts, passwords }: Gate,
  resets: PasswordResets,
  sessions: Sessions,
  { token, password }: Reset,
  address: string,
): Promise<User> {
  const tries = [`address:${address}`]
  await requireFewTries(accounts, tries, sign_in_window_s)
  const { username } = await personOfReset(resets, token)
  requireGoodPassword({ username, password })
  const account = await resets.use(resetHash(token) ?? '', await passwords.hash(password, address))
  if (!account) throw worksNoMore()
  await sessions.endAll(account.user_id)
  await accounts.forgiveTry(tries)
  return account
}

const worksNoMore = () =>
  new DomainError(
    'not_found',
    'This link is wrong, has been used, or is more than an hour old. Ask the person who runs this service for a new one.',
  )
