/** Creates and revokes API tokens, and finds the owner of the API token in a request. */
import type { Opened, Secrets } from '../../db/account/secrets.ts'
import type { Library } from '../../db/library.ts'
import { DomainError, wrongAt } from '../../errors.ts'
import { max_api_tokens, type NewApiToken, Scope } from '../../schema/account/account.ts'

/** `token`: what a program sends. Only its hash is stored, so it can't be shown again. */
export async function createToken(
  { secrets }: Library,
  { name, scope, expires_in_days }: NewApiToken,
): Promise<{ token_id: string; token: string }> {
  const lasts_s = expires_in_days === null ? null : expires_in_days * 86_400
  const made = await secrets.make({ kind: 'token', opens: { scope }, name, lasts_s })
  if (made === 'not_administrator') throw wrongAt('scope', 'Only administrators can create such a token.')
  if (made === 'full')
    throw wrongAt(
      'name',
      `You already have ${max_api_tokens} tokens, which is the limit. Revoke one first.`,
      'conflict',
    )
  return { token_id: made.secret_id, token: made.token }
}

export async function revokeToken({ secrets }: Library, token_id: string): Promise<void> {
  if (!(await secrets.revoke(['token'], token_id))) throw new DomainError('not_found', 'You have no such token.')
}

/**
 * This API token with its owner, if its scope allows `scope`. A member may go on without the scope `admin`, because members learn nothing
 * of the desk: `requireAdministrator` refuses them. Throws `invalid_token` or `insufficient_scope`.
 */
export async function requireOwner(secrets: Secrets, token: string, scope: Scope): Promise<Opened<'token'>> {
  const owner = await secrets.ownerOf(token)
  if (!owner) throw new DomainError('invalid_token', 'This token is wrong, revoked or expired. Create a new one.')
  if (scope === 'admin' && owner.user.role !== 'admin') return owner
  if (Scope.options.indexOf(owner.opens.scope) < Scope.options.indexOf(scope))
    throw new DomainError('insufficient_scope', refusals[scope])
  return owner
}

const refusals: Record<Scope, string> = {
  read: 'This token cannot read.',
  write: 'This token is read-only. Create one that can write.',
  admin: 'This token does not open the administration. Create one that does.',
}
