/**
 * Adds, renames and removes the passkeys of a person, and signs a person in by one, without a name or a password.
 *
 * Adding and signing in have two steps: the service hands out a challenge, and the browser answers it. A challenge is used once, and only
 * by the browser that has its token in a cookie.
 */
import {
  checkAssertion,
  handleOf,
  newCredentialIn,
  optionsToAdd,
  optionsToSignIn,
  type Site,
} from '../../auth/passkeys.ts'
import type { Library } from '../../db/library.ts'
import { DomainError } from '../../errors.ts'
import {
  type Assertion,
  max_passkeys,
  type NewCredential,
  type Passkey,
  passkey_lasts_s,
} from '../../schema/account/passkey.ts'
import type { StoredUser, User } from '../../schema/values/user.ts'
import { requirePassword } from './account.ts'
import { type Authenticator, accountLocked, requireFewTries, triesFrom } from './sign-in.ts'

/**
 * Returns the options for the browser, and the token for its cookie. Throws `invalid` with a sentence at a field, `too_many`, or `conflict`
 * when the person has the most passkeys allowed.
 */
export async function beginPasskey(
  authenticator: Authenticator,
  { passkeys }: Library,
  user: User,
  { name, current_password }: { name: string; current_password: string },
  site: Site,
  client: string,
) {
  await requirePassword(authenticator, user, 'current_password', current_password, client)
  const known = await passkeys.credentials()
  if (known.length >= max_passkeys) throw full()
  const options = await optionsToAdd(site, user, known)
  const opens = { challenge: options.challenge, name }
  const { user_id } = user
  const { token } = await authenticator.secrets.make({ kind: 'new_passkey', user_id, opens, lasts_s: passkey_lasts_s })
  return { options, token }
}

/** Throws `invalid` when the answer does not fit, and `conflict` when there are too many passkeys or this one is known. */
export async function addPasskey(
  { secrets }: Authenticator,
  { user_id, passkeys }: Library,
  token: string,
  answer: NewCredential,
  site: Site,
): Promise<Passkey> {
  const attempt = await secrets.spend(['new_passkey'], token)
  if (attempt?.user.user_id !== user_id) throw notAdded()
  const { challenge, name } = attempt.opens
  const credential = await newCredentialIn(site, challenge, answer)
  if (!credential) throw notAdded()
  const added = await passkeys.add({ ...credential, name })
  if (added === 'full') throw full()
  if (added === 'known') throw new DomainError('conflict', 'This passkey already belongs to an account here.')
  return added
}

const full = () =>
  new DomainError('conflict', `You already have ${max_passkeys} passkeys, which is the limit. Remove one first.`)

export const notAdded = () => new DomainError('invalid', 'The passkey was not added. Try again.')

export async function renamePasskey({ passkeys }: Library, passkey_id: string, name: string): Promise<void> {
  if (!(await passkeys.rename(passkey_id, name))) throw absent()
}

/** Throws `conflict` for the person's last way to sign in. Sessions that the passkey began go on. */
export async function removePasskey({ passkeys }: Library, passkey_id: string): Promise<void> {
  const removal = await passkeys.remove(passkey_id)
  if (removal === 'absent') throw absent()
  if (removal === 'last')
    throw new DomainError('conflict', 'You need this to sign in. Set a password or add another passkey first.')
}

const absent = () => new DomainError('not_found', 'You have no such passkey.')

/** Returns what `beginPasskey` returns. Anyone may ask, because the options name no account. */
export async function beginPasskeySignIn({ secrets }: Authenticator, site: Site) {
  const options = await optionsToSignIn(site)
  const opens = { challenge: options.challenge }
  const { token } = await secrets.make({ kind: 'passkey', user_id: null, opens, lasts_s: passkey_lasts_s })
  return { options, token }
}

/**
 * `undefined`: the answer does not fit, for whatever reason, so it does not tell which passkeys are known.
 * Throws `forbidden` if the account is locked, which only its passkey finds out, and `too_many` after many failures from one `client`.
 */
export async function signInByPasskey(
  { limits, secrets, passkeys }: Authenticator,
  token: string,
  answer: Assertion,
  site: Site,
  client: string,
): Promise<(StoredUser & { passkey_id: string }) | undefined> {
  const tries = triesFrom(client)
  await requireFewTries(limits, tries)
  const attempt = await secrets.spend(['passkey'], token)
  const passkey = await passkeys.find(answer.id)
  if (!attempt || !passkey || answer.response.userHandle !== handleOf(passkey.user_id)) return undefined
  const counter = await checkAssertion(site, attempt.opens.challenge, passkey, answer)
  if (counter === undefined || !(await passkeys.use(passkey, counter))) return undefined
  if (passkey.locked_at) throw accountLocked()
  await limits.giveBack(tries)
  return passkey
}
