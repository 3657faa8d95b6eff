/** The addresses of the links that an administrator hands over, and the end of an invitation. Logs leave the queries of addresses out. */
import type { Desk } from '../../db/admin/desk.ts'
import { DomainError } from '../../errors.ts'

/** `site`: the address of the service. */
export const resetUrl = (site: string, token: string): string => urlOf(site, '/reset-password', 'token', token)

export const invitationUrl = (site: string, token: string): string => urlOf(site, '/register', 'invitation', token)

function urlOf(site: string, path: string, name: string, token: string): string {
  const url = new URL(site + path)
  url.searchParams.set(name, token)
  return url.href
}

/** Throws `not_found`. */
export async function deleteInvitation({ invitations }: Desk, invitation_id: string): Promise<void> {
  if (!(await invitations.delete(invitation_id)))
    throw new DomainError('not_found', 'There is no such invitation, or it has been used.')
}
