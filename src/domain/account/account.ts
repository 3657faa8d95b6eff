import type { Sessions } from '../../auth/sessions.ts'
import type { Library } from '../../db/library.ts'
import { DomainError } from '../../errors.ts'
import type { Holdings } from '../../schema/account/account.ts'
import type { StoredUser, User } from '../../schema/values/user.ts'
import type { Files } from '../../store/files.ts'
import { type Authenticator, requireGoodPassword, signIn } from './sign-in.ts'

type PasswordChange = { current_password: string; password: string }

/** Ends every session; the caller begins a new one for this browser. API tokens stay: they don't depend on the password. */
export async function changePassword(
  authenticator: Authenticator,
  sessions: Sessions,
  user: User,
  { current_password, password }: PasswordChange,
  address: string,
): Promise<StoredUser> {
  const stored = await requirePassword(authenticator, user, 'current_password', current_password, address)
  await requireGoodPassword({ username: user.username, password })
  const password_hash = await authenticator.passwords.hash(password, address)
  // Of two changes at the same moment the second fails: its current password is no longer current.
  if (!(await authenticator.accounts.changePassword(stored, password_hash))) throw wrongPassword('current_password')
  await sessions.endAll(user.user_id)
  return { ...stored, password_hash }
}

/** Deletes the account with all its data and files, and stops its downloads. */
export async function deleteAccount(
  authenticator: Authenticator,
  files: Files,
  user: User,
  password: string,
  address: string,
): Promise<void> {
  await requirePassword(authenticator, user, 'password', password, address)
  // Without its account, no one would ever remove its files.
  await files.requireWritable()
  await authenticator.accounts.remove(user)
  await files.forgetUser(user.user_id)
}

/** Counts as a try to sign in, so that a page left open gives no extra tries to guess the password. */
async function requirePassword(
  authenticator: Authenticator,
  { username }: User,
  field: string,
  password: string,
  address: string,
): Promise<StoredUser> {
  const stored = await signIn(authenticator, { username, password }, address)
  if (!stored) throw wrongPassword(field)
  return stored
}

function wrongPassword(field: string) {
  const sentence = 'Wrong password.'
  return new DomainError('invalid', sentence, { fields: { [field]: sentence } })
}

export async function holdingsOf(library: Library): Promise<Holdings> {
  const channels = await library.channels.list()
  const videos = channels.reduce((sum, { entry_count }) => sum + entry_count, 0)
  const { on_disk_bytes } = await library.videos.tally()
  return { channels: channels.length, videos, on_disk_bytes }
}
