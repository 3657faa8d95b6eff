/** The log of what administrators did. A row is written in the transaction of its act, and is never changed. */
import type { ActName } from '../../schema/admin/admin.ts'
import type { Queryable } from '../postgres/client.ts'

/** `username`: whom it concerns. */
export type NewAct = { act: ActName; username: string | null; detail?: string }

/** `by`: a username, or what else acted. */
export async function writeAct(tx: Queryable, by: string, { act, username, detail = '' }: NewAct): Promise<void> {
  await tx`
    insert into admin_acts (actor, act, username, detail)
    values (${by}, ${act}, ${username}, ${detail})`
}
