/** Links that an administrator hands over: invitations, and links to choose a new password. `account/accounts.ts` uses them. */
import type { Invitation } from '../../schema/admin/admin.ts'
import { secretsIn } from '../account/secrets.ts'
import { firstRow } from '../postgres/client.ts'
import { actIn, actOn, type Means } from './acts.ts'

export function invitationsOf(means: Means) {
  const { sql, by } = means

  return {
    /** Those that still work, the newest first. */
    list: (): Promise<Invitation[]> => sql<Invitation[]>`
      select    secret_id as invitation_id, name as note, username as made_by, secrets.created_at, expires_at
      from      secrets
      left join users on users.id = made_by
      where     kind = 'invitation' and expires_at > now()
      order by  secrets.created_at desc, secret_id`,

    make: ({ note, days }: { note: string; days: number }) =>
      actIn(means, async (tx, write) => {
        const { secret_id, token, expires_at } = await secretsIn(tx).make({
          kind: 'invitation',
          user_id: null,
          made_by: by.user_id,
          opens: {},
          name: note,
          lasts_s: days * 86_400,
        })
        await write({ act: 'invitation_made', username: null, detail: note })
        return { invitation_id: secret_id, token, expires_at }
      }),

    /** `false`: there is no such invitation, or it has been used. */
    delete: (invitation_id: string): Promise<boolean> =>
      actIn(means, async (tx, write) => {
        const deleted = await firstRow(tx<{ note: string }[]>`
          delete from secrets
          where  kind = 'invitation' and secret_id::text = ${invitation_id}
          returning name as note`)
        if (deleted) await write({ act: 'invitation_deleted', username: null, detail: deleted.note })
        return deleted !== undefined
      }),
  }
}

export const resetsOf = (means: Means) => ({
  /**
   * Replaces an earlier link of the same person. `revoke_tokens`: also revokes their API tokens, whose number is returned. `locked`: a
   * locked person cannot sign in with a new password either. `undefined`: there is no such account.
   */
  make: (username: string, lasts_s: number, revoke_tokens: boolean) =>
    actOn(means, username, async (tx, { user_id, username, locked_at }, write) => {
      if (locked_at) return 'locked'
      const { token, expires_at } = await secretsIn(tx).make({ kind: 'reset', user_id, opens: {}, lasts_s })
      await write({ act: 'reset_link_made', username })
      if (!revoke_tokens) return { username, token, expires_at, revoked_tokens: 0 }
      const { count } = await tx`delete from secrets where user_id = ${user_id} and kind = 'token'`
      await write({ act: 'tokens_revoked', username, detail: String(count) })
      return { username, token, expires_at, revoked_tokens: count }
    }),
})
