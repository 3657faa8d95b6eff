/**
 * Resets a forgotten password with a link from an administrator, which `admin/people.ts` makes.
 *
 * The service knows no mailbox of an account, so the administrator hands the link over. Opening the link changes nothing, because mail and
 * chat programs open links for previews. The token is in the query, which logs leave out. The link signs no one in.
 */
import type { Sessions } from '../../auth/sessions.ts'
import { DomainError } from '../../errors.ts'
import type { User } from '../../schema/values/user.ts'
import { type Authenticator, requireFewTries, requireGoodPassword, triesFrom } from './sign-in.ts'

export const reset_lasts_s = 3600

/** The user that a link is for. The link stays valid. Throws `not_found`. */
export async function userOfReset({ secrets }: Authenticator, token: string): Promise<User> {
  const reset = await secrets.open(['reset'], token)
  if (!reset) throw invalidLink()
  return reset.user
}

/**
 * Works once, and ends every session of the user. API tokens stay: they don't depend on the password.
 * Throws `not_found`, `invalid` with a sentence at the field, or `too_many` after 50 failures from one `client`.
 */
export async function resetPassword(
  authenticator: Authenticator,
  sessions: Sessions,
  { token, password }: { token: string; password: string },
  client: string,
): Promise<User> {
  const { accounts, limits, passwords } = authenticator
  const tries = triesFrom(client)
  await requireFewTries(limits, tries)
  const { username } = await userOfReset(authenticator, token)
  await requireGoodPassword({ username, password })
  const user = await accounts.resetPassword(token, await passwords.hash(password, client))
  if (!user) throw invalidLink()
  await sessions.endAll(user.user_id)
  await limits.giveBack(tries)
  return user
}

const invalidLink = () =>
  new DomainError(
    'not_found',
    'This link is wrong, already used, or more than an hour old. Ask your administrator for a new one.',
  )
