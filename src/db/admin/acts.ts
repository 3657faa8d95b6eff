/**
 * Every act of an administrator: one transaction that checks that the actor still is an administrator, acts, and writes what was done to
 * the log.
 */
import { nothingHere } from '../../errors.ts'
import type { SignIns } from '../../runtime/sign-ins.ts'
import { type Role, UserId } from '../../schema/values/user.ts'
import { againAfterDeadlock } from '../account/removal.ts'
import { type NewAct, writeAct } from '../account/write-act.ts'
import { hasAny, type Queryable, type Sql, type Transaction } from '../postgres/client.ts'

/** Who acts on the desk. `user_id` null: the command line, which needs no account. */
export type Actor = { user_id: UserId | null; name: string }

/** What each part of a desk is made of. `sign_ins`: forgets the sign-ins of people who change. */
export type Means = { sql: Sql; by: Actor; sign_ins?: SignIns | undefined }

/** The row of the person that an act is about. It stays as it is until the act has ended. */
export type Target = {
  user_id: UserId
  username: string
  role: Role
  locked_at: Date | null
  quota_gb: number | null
}

export type Write = (act: NewAct) => Promise<void>

/** An act that is about no account. Rejects with `not_found`, as an unknown address, if the actor is no administrator any more. */
export const actIn = <T>({ sql, by }: Means, work: (tx: Transaction, write: Write) => Promise<T>): Promise<T> =>
  againAfterDeadlock(sql, async tx => {
    if (by.user_id !== null) {
      // What the act adds would outlive the role, if the role ended at the same moment.
      const [actor] = await tx`select from users where ${administrator(tx, by.user_id)} for share`
      if (!actor) throw nothingHere()
    }
    return work(tx, act => writeAct(tx, by.name, act))
  })

/**
 * An act about one account; `undefined`: there is no such account. Two administrators who act on each other at the same moment wait for
 * each other, in the order of their ids, so the second one may be no administrator any more.
 */
export async function actOn<T>(
  { sql, by, sign_ins }: Means,
  username: string,
  work: (tx: Transaction, target: Target, write: Write) => Promise<T>,
): Promise<T | undefined> {
  const [found] = await sql<{ user_id: string }[]>`
    select id as user_id from users where lower(username) = lower(${username})`
  const actor = by.user_id
  if (!found) return undefined
  const user_id = UserId.parse(found.user_id)
  try {
    return await againAfterDeadlock(sql, async tx => {
      if (actor !== null && actor < user_id) await holdActor(tx, actor)
      const [target] = await tx<Target[]>`
        select id as user_id, username, role, locked_at, quota_gb from users where id = ${user_id} for update`
      if (actor !== null && actor >= user_id) await holdActor(tx, actor)
      return target && work(tx, { ...target, user_id }, act => writeAct(tx, by.name, act))
    })
  } finally {
    sign_ins?.forgetUser(user_id)
  }
}

/** Keeps the actor an administrator until the act has ended. The lock lets the actor's own visits be recorded meanwhile. */
async function holdActor(tx: Transaction, user_id: UserId): Promise<void> {
  const [actor] = await tx`select from users where ${administrator(tx, user_id)} for key share`
  if (!actor) throw nothingHere()
}

/** Condition: the row of `users` is this person's, who is an administrator and not locked. */
export const administrator = (sql: Queryable, user_id: UserId) =>
  sql`id = ${user_id} and role = 'admin' and locked_at is null`

/** Whether another administrator can sign in. Changes of administrators wait for each other, here and in the trigger of the table. */
export async function hasOtherAdministrator(tx: Transaction, user_id: UserId): Promise<boolean> {
  await tx`select pg_advisory_xact_lock(hashtextextended('backlot administrators', 0))`
  return hasAny(tx`select from users other where id <> ${user_id} and administrator_access(other) > 0 limit 1`)
}
