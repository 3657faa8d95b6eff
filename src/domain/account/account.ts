/** What somebody does with the account they are signed in to: change its password, make tokens, end it. */
import type { Sessions } from '../../auth/sessions.ts'
import { newToken, tokenHash } from '../../auth/tokens.ts'
import type { Account } from '../../db/accounts/accounts.ts'
import type { TokenGate, Tokens } from '../../db/accounts/tokens.ts'
import type { Library } from '../../db/library/library.ts'
import { DomainError } from '../../errors.ts'
import { type ApiToken, type Holdings, most_tokens, type NewToken, type Scope } from '../../schema/account.ts'
import type { User } from '../../schema/user.ts'
import type { Files } from '../downloads/files.ts'
import { requireGoodPassword } from './new-password.ts'
import { type Gate, signIn } from './sign-in.ts'

type Change = { current_password: string; password: string }

/** Every session ends; whoever asked begins a new one. Tokens stay: programs have never known the password. */
export async function changePassword(
  gate: Gate,
  sessions: Sessions,
  user: User,
  { current_password, password }: Change,
  address: string,
): Promise<Account> {
  const account = await requirePassword(gate, user, 'current_password', current_password, address)
  requireGoodPassword({ username: user.username, password })
  const password_hash = await gate.passwords.hash(password, address)
  // Of two changes at once the second has been told a password that is one no longer.
  if (!(await gate.accounts.changePassword(account, password_hash))) throw notYours('current_password')
  await sessions.endAll(user.user_id)
  return { ...account, password_hash }
}

/** With all its data and files. What runs is stopped; what others have stays theirs. */
export async function deleteAccount(
  gate: Gate,
  files: Files,
  user: User,
  password: string,
  address: string,
): Promise<void> {
  await requirePassword(gate, user, 'password', password, address)
  await gate.accounts.remove(user)
  await files.forgetUser(user.user_id)
}

/** Counted as a try to sign in, so that a page left open is no better place to guess. */
async function requirePassword(gate: Gate, { username }: User, field: string, password: string, address: string) {
  const account = await signIn(gate, { username, password }, address)
  if (!account) throw notYours(field)
  return account
}

function notYours(field: string) {
  const wrong = 'This is not your password.'
  return new DomainError('invalid', wrong, { fields: { [field]: wrong } })
}

export async function holdingsOf(library: Library): Promise<Holdings> {
  const channels = await library.channels.list()
  const videos = channels.reduce((sum, { entry_count }) => sum + entry_count, 0)
  const { on_disk_bytes } = await library.videos.tally()
  return { channels: channels.length, videos, on_disk_bytes }
}

const day_ms = 24 * 3600_000

/** `secret` is known to nobody after this. */
export async function createToken(
  tokens: Tokens,
  { name, scope, expires_in_days }: NewToken,
  now: Date,
): Promise<{ token: ApiToken; secret: string }> {
  const secret = newToken()
  const expires_at = expires_in_days === null ? null : new Date(now.getTime() + expires_in_days * day_ms)
  const token = await tokens.add({ name, scope, expires_at, hash: tokenHash(secret) ?? '' })
  if (token) return { token, secret }
  const full = `You have ${most_tokens} tokens, which is as many as there can be. Revoke one first.`
  throw new DomainError('conflict', full, { fields: { name: full } })
}

export async function revokeToken(tokens: Tokens, token_id: string): Promise<void> {
  if (!(await tokens.revoke(token_id))) throw new DomainError('not_found', 'You have no such token.')
}

/** Who comes with this token, if it may do what is `needed`. */
export async function holderOf(gate: TokenGate, token: string, needed: Scope): Promise<{ user: User; scope: Scope }> {
  const hash = tokenHash(token)
  const holder = hash && (await gate.holderOf(hash))
  if (!holder) throw new DomainError('invalid_token', 'This token is wrong, revoked or expired. Make a new one.')
  if (needed === 'write' && holder.scope === 'read')
    throw new DomainError('insufficient_scope', 'This token can only read. Make one that can change things too.')
  return holder
}
