/** Creates and revokes API tokens, and finds the owner of the token in a request. */
import { newSecret, tokenHash } from '../../auth/passwords.ts'
import type { TokenOwner, TokenOwners, Tokens } from '../../db/account/tokens.ts'
import { DomainError, wrongAt } from '../../errors.ts'
import { type ApiToken, max_tokens, type NewToken, Scope } from '../../schema/account/account.ts'

const day_ms = 24 * 3600_000

/** `secret`: what a program sends. Only its hash is stored, so it can't be shown again. */
export async function createToken(
  tokens: Tokens,
  { name, scope, expires_in_days }: NewToken,
  now: Date,
): Promise<{ token: ApiToken; secret: string }> {
  const secret = newSecret()
  const expires_at = expires_in_days === null ? null : new Date(now.getTime() + expires_in_days * day_ms)
  const token = await tokens.add({ name, scope, expires_at, hash: tokenHash(secret) ?? '' })
  if (token === 'not_administrator') throw wrongAt('scope', 'Only administrators can create such a token.')
  if (token) return { token, secret }
  throw wrongAt('name', `You already have ${max_tokens} tokens, which is the limit. Revoke one first.`, 'conflict')
}

export async function revokeToken(tokens: Tokens, token_id: string): Promise<void> {
  if (!(await tokens.revoke(token_id))) throw new DomainError('not_found', 'You have no such token.')
}

/**
 * The owner of this token, if its scope allows `scope`. A member may go on without the scope `admin`, because members learn nothing of the
 * desk: `requireAdministrator` refuses them. Throws `invalid_token` or `insufficient_scope`.
 */
export async function requireOwner(owners: TokenOwners, secret: string, scope: Scope): Promise<TokenOwner> {
  const hash = tokenHash(secret)
  const owner = hash && (await owners.find(hash))
  if (!owner) throw new DomainError('invalid_token', 'This token is wrong, revoked or expired. Create a new one.')
  if (scope === 'admin' && owner.user.role !== 'admin') return owner
  if (Scope.options.indexOf(owner.scope) < Scope.options.indexOf(scope))
    throw new DomainError('insufficient_scope', refusals[scope])
  return owner
}

const refusals: Record<Scope, string> = {
  read: 'This token cannot read.',
  write: 'This token is read-only. Create one that can write.',
  admin: 'This token does not open the administration. Create one that does.',
}
