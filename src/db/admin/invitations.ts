/** Invitations: links with which a newcomer creates an account. Stores no link, only hashes. Using them is left to `db/account`. */
import type { Invitation } from '../../schema/admin/admin.ts'
import { onlyRow } from '../postgres/client.ts'
import { actIn, type Means } from './acts.ts'

export function invitationsOf(means: Means) {
  const { sql, by } = means

  return {
    /** Those that still work, the newest first. */
    list: (): Promise<Invitation[]> => sql<Invitation[]>`
      select    invitation_id, note, username as made_by, invitations.created_at, expires_at
      from      invitations
      left join users on users.id = made_by
      where     expires_at > now()
      order by  invitations.created_at desc, invitation_id`,

    make: ({ hash, note, days }: { hash: string; note: string; days: number }) =>
      actIn(means, async (tx, write) => {
        const made = await onlyRow(tx<{ invitation_id: string; expires_at: Date }[]>`
          insert into invitations (hash, note, made_by, expires_at)
          values (${hash}, ${note}, ${by.user_id}, now() + ${days} * interval '1 day')
          returning invitation_id, expires_at`)
        await write({ act: 'invitation_made', username: null, detail: note })
        return made
      }),

    /** `false`: there is no such invitation, or it has been used. */
    delete: (invitation_id: string): Promise<boolean> =>
      actIn(means, async (tx, write) => {
        const [deleted] = await tx<{ note: string }[]>`
          delete from invitations
          where  invitation_id::text = ${invitation_id}
          returning note`
        if (deleted) await write({ act: 'invitation_deleted', username: null, detail: deleted.note })
        return deleted !== undefined
      }),
  }
}
