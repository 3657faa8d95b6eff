/**
 * Everything an administrator may ask across people, as a library is everything one person may ask. There is no other door to it. Only
 * `requireAdministrator` and the command line make a desk; the net of the architecture checks it.
 */
import type { SignIns } from '../../runtime/sign-ins.ts'
import type { UserId } from '../../schema/values/user.ts'
import { hasAny, type Sql } from '../postgres/client.ts'
import { type Actor, administrator } from './acts.ts'
import { invitationsOf, resetsOf } from './invitations-and-resets.ts'
import { logOf } from './log.ts'
import { peopleOf } from './people.ts'
import { serviceOf } from './service-desk.ts'

export type { Actor }
export type Desk = ReturnType<typeof deskOf>

/** `by`: is checked again in each act. `sign_ins`: forgets the sign-ins of people who change. */
export function deskOf(sql: Sql, by: Actor, sign_ins?: SignIns) {
  const means = { sql, by, sign_ins }
  return {
    by,
    /** List, find, change and delete people. */
    people: peopleOf(means),
    /** Links to choose a new password. */
    resets: resetsOf(means),
    /** List, make and delete invitations. */
    invitations: invitationsOf(means),
    /** What administrators did. */
    log: logOf(means),
    /** The state of the service over all people, and its repairs. */
    service: serviceOf(means),
  }
}

/** Read anew for each request to the desk, so that a role ends at once, in every process. */
export const isAdministrator = (sql: Sql, user_id: UserId): Promise<boolean> =>
  hasAny(sql`select from users where ${administrator(sql, user_id)}`)
