/** Changes or sets the password of a signed-in person, and deletes their account. An account may have no password. */
import type { Sessions } from '../../auth/sessions.ts'
import type { Library } from '../../db/library.ts'
import { DomainError, wrongAt } from '../../errors.ts'
import type { Holdings } from '../../schema/account/account.ts'
import { nameOf, type StoredUser, type User, type UserId } from '../../schema/values/user.ts'
import type { Files } from '../../store/files.ts'
import { type Authenticator, requireGoodPassword, signIn } from './sign-in.ts'

/**
 * Ends every session; the caller begins a new one for this browser. API tokens stay: they don't depend on the password. A person without a
 * password sets one, and needs no current one.
 */
export async function changePassword(
  authenticator: Authenticator,
  sessions: Sessions,
  user: User,
  { current_password, password }: { current_password: string; password: string },
  client: string,
): Promise<StoredUser> {
  const stored = await requirePassword(authenticator, user, 'current_password', current_password, client)
  await requireGoodPassword({ username: user.username, password })
  const password_hash = await authenticator.passwords.hash(password, client)
  // Of two changes at the same moment the second fails: its current password is no longer current.
  if (!(await authenticator.accounts.changePassword(stored, password_hash))) throw wrongPassword('current_password')
  await sessions.endAll(user.user_id)
  return { ...stored, password_hash }
}

/**
 * Deletes the account with all its data and files, and stops its downloads. The person types the password, or the username if the account
 * has no password.
 */
export async function deleteAccount(
  authenticator: Authenticator,
  files: Files,
  user: User,
  { password, username }: { password: string; username: string },
  client: string,
): Promise<void> {
  const { password_hash } = await requirePassword(authenticator, user, 'password', password, client)
  if (password_hash === null && nameOf(username).toLowerCase() !== user.username.toLowerCase())
    throw wrongAt('username', 'This is not your username.')
  await removeWithFiles(files, async () => {
    if (!(await authenticator.accounts.remove(user))) throw new DomainError('conflict', only_administrator)
    return user.user_id
  })
}

const only_administrator = 'You are the only administrator who can sign in. Make another person an administrator first.'

/** `remove` deletes an account, and returns whose files are left. */
export async function removeWithFiles(files: Files, remove: () => Promise<UserId>): Promise<void> {
  // Asked first, because no one would ever remove the files of an account that is gone.
  await files.requireWritable()
  await files.forgetUser(await remove())
}

export const hasPassword = async ({ accounts }: Authenticator, { username }: User): Promise<boolean> =>
  (await accounts.find(username))?.password_hash !== null

/**
 * The account, if `password` is its password. An account without a password needs no proof but its sign-in. Throws `invalid` at
 * `field`. Counts as a try to sign in, so that a page left open gives no extra tries to guess the password.
 */
export async function requirePassword(
  authenticator: Authenticator,
  { user_id, username }: User,
  field: string,
  password: string,
  client: string,
): Promise<StoredUser> {
  const account = await authenticator.accounts.find(username)
  if (account?.user_id === user_id && account.password_hash === null) return account
  const stored = await signIn(authenticator, { username, password }, client)
  if (!stored) throw wrongPassword(field)
  return stored
}

const wrongPassword = (field: string) => wrongAt(field, 'Wrong password.')

export async function holdingsOf(library: Library): Promise<Holdings> {
  const channels = await library.channels.list()
  const videos = channels.reduce((sum, { entry_count }) => sum + entry_count, 0)
  const { on_disk_bytes } = await library.videos.tally()
  return { channels: channels.length, videos, on_disk_bytes }
}
