/** Invitations as a newcomer uses them. `src/db/admin/invitations.ts` makes them. */
import { firstValue, hasAny, type Queryable, type Transaction } from '../postgres/client.ts'
import { writeAct } from './acts.ts'

/** An invitation ends with its time, and with the role of the administrator who made it. */
const works = (sql: Queryable, hash: string) => sql`
  hash = ${hash} and expires_at > now()
  and (made_by is null
       or exists (select from users maker where maker.id = made_by and maker.role = 'admin' and maker.locked_at is null))`

export const isInvited = (sql: Queryable, hash: string): Promise<boolean> =>
  hasAny(sql`select from invitations where ${works(sql, hash)}`)

/** Holds the invitation until the account is made: of two newcomers at the same moment, the second finds none. */
export const holdInvitation = (tx: Transaction, hash: string): Promise<boolean> =>
  hasAny(tx`select from invitations where ${works(tx, hash)} for update`)

/** Ends an invitation that is held, for the account that was made with it. */
export async function endInvitation(tx: Transaction, hash: string, username: string): Promise<void> {
  const note = await firstValue<string>(tx`delete from invitations where hash = ${hash} returning note`)
  await writeAct(tx, username, { act: 'invitation_used', username, detail: note ?? '' })
}
