/** Accounts. Stores no password, only hashes. */
import { DomainError } from '../../errors.ts'
import type { SignIns } from '../../runtime/sign-ins.ts'
import type { Role, StoredUser, User } from '../../schema/values/user.ts'
import { eachValue, firstValue, hasAny, hasBroken, type Queryable, type Sql } from '../postgres/client.ts'
import { accountSubject, limitsIn } from './limits.ts'
import { againAfterDeadlock, removeAccountIn } from './removal.ts'
import { secretsIn } from './secrets.ts'
import { storedUserIn, user_columns } from './stored-users.ts'
import { writeAct } from './write-act.ts'

export type Accounts = ReturnType<typeof accountsIn>

/** `sign_ins`: forgets the sign-ins of an account that is deleted here. */
export function accountsIn(sql: Sql, sign_ins?: SignIns) {
  /** Changes this person. `false`: the trigger of the table kept the last administrator who can sign in. */
  const unlessLastAdministrator = async ({ user_id }: User, change: () => Promise<boolean>): Promise<boolean> => {
    try {
      return await change()
    } catch (fault) {
      if (hasBroken(fault, 'users_administrator')) return false
      throw fault
    } finally {
      sign_ins?.forgetUser(user_id)
    }
  }

  return {
    /** Ignores case. */
    async find(username: string): Promise<StoredUser | undefined> {
      const rows = await sql<StoredUser[]>`
        select ${user_columns(sql)}
        from   users
        where  lower(username) = lower(${username})`
      return storedUserIn(rows)
    },

    /**
     * `taken`: another account has the name. `not_first`: `only_first` was given, and there is an account already. Spends the `invitation`;
     * throws `not_found` if the invitation does not work.
     */
    create: (
      username: string,
      password_hash: string | null,
      { only_first = false, invitation }: { only_first?: boolean; invitation?: string | undefined } = {},
    ): Promise<StoredUser | 'not_first' | 'taken'> =>
      sql.begin(async tx => {
        if (only_first && !(await isFirstAccount(tx))) return 'not_first'
        const rows = await tx<StoredUser[]>`
          insert into users (username, password_hash)
          values (${username}, ${password_hash})
          on conflict (lower(username)) do nothing
          returning ${user_columns(tx)}`
        const user = storedUserIn(rows)
        if (!user || invitation === undefined) return user ?? 'taken'
        const used = await secretsIn(tx).spend(['invitation'], invitation)
        // Takes the account back.
        if (!used) throw invalidInvitation()
        await writeAct(tx, username, { act: 'invitation_used', username, detail: used.name })
        return user
      }),

    /** Returns those of these people who exist and are not locked. */
    stillIn: async (user_ids: string[]): Promise<Set<string>> =>
      new Set(
        await eachValue<string>(sql`select id from users where id = any(${user_ids}::uuid[]) and locked_at is null`),
      ),

    any: (): Promise<boolean> => hasAny(sql`select from users limit 1`),

    /** Also deletes a reset link. `false`: the account is gone, or its password was changed or set meanwhile. */
    changePassword: (user: StoredUser, password_hash: string): Promise<boolean> =>
      hasAny(sql`
        with changed as (
          update users
          set    password_hash = ${password_hash}
          where  id = ${user.user_id} and password_hash is not distinct from ${user.password_hash}
          returning id
        ),
        spent as (
          delete from secrets
          where  user_id in (select id from changed) and kind = 'reset'
        )
        select from changed`),

    /** Sets the password by a reset link, spends the link, and forgets failed tries to sign in. `undefined`: the link does not work. */
    resetPassword: (token: string, password_hash: string): Promise<User | undefined> =>
      againAfterDeadlock(sql, async tx => {
        const user = (await secretsIn(tx).spend(['reset'], token))?.user
        if (!user) return undefined
        await tx`update users set password_hash = ${password_hash} where id = ${user.user_id}`
        await limitsIn(tx).forget(accountSubject(user.username))
        return user
      }),

    /**
     * Deletes the user as `removeAccountIn` says. `false`: nothing was deleted, because this is the last administrator who can sign in, and
     * there are other people.
     */
    remove: (user: User): Promise<boolean> =>
      unlessLastAdministrator(user, async () => {
        await againAfterDeadlock(sql, tx => removeAccountIn(tx, user))
        return true
      }),

    /**
     * Gives a person another role, and records the act of `actor`. `false`: nothing was done, because the last administrator who can sign
     * in stays one.
     */
    changeRole: (user: User, role: Role, actor: string): Promise<boolean> =>
      unlessLastAdministrator(user, () =>
        sql.begin(async tx => {
          const username = await firstValue<string>(tx`
            update users
            set    role = ${role}
            where  id = ${user.user_id} and role <> ${role}
            and    (${role} = 'admin' or exists (select from users other where other.id <> ${user.user_id} and other.role = 'admin'))
            returning username`)
          if (username !== undefined) await writeAct(tx, actor, { act: 'role_changed', username, detail: role })
          return username !== undefined
        }),
      ),
  }
}

export const invalidInvitation = () =>
  new DomainError(
    'not_found',
    'This invitation is wrong, already used, or too old. Ask your administrator for a new one.',
  )

/** Whether an account that this transaction adds is the first one. */
export async function isFirstAccount(tx: Queryable): Promise<boolean> {
  // Without the lock, two at the same moment would both find no account.
  await tx`select pg_advisory_xact_lock(hashtextextended('backlot first account', 0))`
  return !(await hasAny(tx`select from users limit 1`))
}
