/** API tokens: create and revoke one's own, and find the user who holds one. */
import { newToken, tokenHash } from '../../auth/tokens.ts'
import type { TokenHolder, TokenHolders, Tokens } from '../../db/accounts/tokens.ts'
import { DomainError } from '../../errors.ts'
import { type ApiToken, most_tokens, type NewToken, type Scope } from '../../schema/account.ts'

const day_ms = 24 * 3600_000

/** `secret` is the token itself; only its hash is stored, so it can't be shown again. */
export async function createToken(
  tokens: Tokens,
  { name, scope, expires_in_days }: NewToken,
  now: Date,
): Promise<{ token: ApiToken; secret: string }> {
  const secret = newToken()
  const expires_at = expires_in_days === null ? null : new Date(now.getTime() + expires_in_days * day_ms)
  const token = await tokens.add({ name, scope, expires_at, hash: tokenHash(secret) ?? '' })
  if (token) return { token, secret }
  const full = `You already have ${most_tokens} tokens, which is the limit. Revoke one first.`
  throw new DomainError('conflict', full, { fields: { name: full } })
}

export async function revokeToken(tokens: Tokens, token_id: string): Promise<void> {
  if (!(await tokens.revoke(token_id))) throw new DomainError('not_found', 'You have no such token.')
}

/** The holder of this token, if its scope allows `scope`. Throws `invalid_token` or `insufficient_scope`. */
export async function requireHolder(holders: TokenHolders, token: string, scope: Scope): Promise<TokenHolder> {
  const hash = tokenHash(token)
  const holder = hash && (await holders.find(hash))
  if (!holder) throw new DomainError('invalid_token', 'This token is wrong, revoked or expired. Create a new one.')
  if (scope === 'write' && holder.scope === 'read')
    throw new DomainError('insufficient_scope', 'This token is read-only. Create one that can write.')
  return holder
}
