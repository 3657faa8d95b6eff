/** Makes and deletes invitations. `account/sign-in.ts` creates accounts with them. */
import { linkHash, newLinkToken } from '../../auth/passwords.ts'
import type { Desk } from '../../db/admin/desk.ts'
import { DomainError } from '../../errors.ts'
import type { InvitationRequest } from '../../schema/admin/admin.ts'

/** `token`: the secret of the link. Only its hash is stored, so it can't be shown again. */
export async function makeInvitation(
  { invitations }: Desk,
  { days, note }: InvitationRequest,
): Promise<{ invitation_id: string; token: string; expires_at: Date }> {
  const token = newLinkToken()
  return { ...(await invitations.make({ hash: linkHash(token) ?? '', days, note })), token }
}

/** Throws `not_found`. */
export async function deleteInvitation({ invitations }: Desk, invitation_id: string): Promise<void> {
  if (!(await invitations.delete(invitation_id)))
    throw new DomainError('not_found', 'There is no such invitation, or it has been used.')
}
