/** The passkeys of people. Stores public keys, which sign no one in. */
import { type Credential, max_passkeys, type Passkey } from '../../schema/account/passkey.ts'
import type { StoredUser, UserId } from '../../schema/values/user.ts'
import { countOf, firstRow, hasAny, oneByOne, type Sql } from '../postgres/client.ts'
import { type Removal, removeUnlessLast } from './last-way-in.ts'
import { user_columns } from './stored-users.ts'

/** The passkeys of one person. */
export function passkeysOf(sql: Sql, user_id: UserId) {
  const mine = sql`user_id = ${user_id}`
  const columns = sql`passkey_id, name, created_at, last_used_at`
  return {
    /** The oldest first. */
    list: (): Promise<Passkey[]> => sql<Passkey[]>`
      select   ${columns}
      from     passkeys
      where    ${mine}
      order by created_at, passkey_id`,

    credentials: (): Promise<Credential[]> => sql<Credential[]>`
      select   credential_id, public_key, counter, transports
      from     passkeys
      where    ${mine}
      order by created_at, passkey_id`,

    /** `full`: this person has the most passkeys allowed. `known`: an account has this passkey already. */
    add: (passkey: Credential & { name: string }): Promise<Passkey | 'full' | 'known'> =>
      oneByOne(sql, user_id, async tx => {
        const { name, credential_id, public_key, counter, transports } = passkey
        const others = await tx`select from passkeys where ${mine}`
        if (others.count >= max_passkeys) return 'full'
        const added = await firstRow(tx<Passkey[]>`
          insert into passkeys (user_id, name, credential_id, public_key, counter, transports)
          values (${user_id}, ${name}, ${credential_id}, ${Buffer.from(public_key)}, ${counter}, ${transports})
          on conflict (credential_id) do nothing
          returning ${columns}`)
        return added ?? 'known'
      }),

    /** `false`: there is no such passkey. */
    rename: (passkey_id: string, name: string): Promise<boolean> =>
      hasAny(sql`
        update passkeys
        set    name = ${name}
        where  ${mine} and passkey_id::text = ${passkey_id}`),

    remove: (passkey_id: string): Promise<Removal> =>
      removeUnlessLast(sql, user_id, tx =>
        countOf(tx`
          delete from passkeys
          where  ${mine} and passkey_id::text = ${passkey_id}`),
      ),
  }
}

/** A passkey, and the account that it opens, locked or not. */
type HeldPasskey = Credential & StoredUser & { passkey_id: string }

export type Passkeys = ReturnType<typeof passkeysIn>

export const passkeysIn = (sql: Sql) => ({
  find: (credential_id: string): Promise<HeldPasskey | undefined> =>
    firstRow(sql<HeldPasskey[]>`
      select passkey_id, credential_id, public_key, counter, transports, ${user_columns(sql)}
      from   passkeys
      join   users on users.id = passkeys.user_id
      where  credential_id = ${credential_id}`),

  /**
   * Records the use. `false`: the passkey was removed; or `counter` is not larger than before, because the answer was sent twice or comes
   * from a copy of the device.
   */
  use: ({ passkey_id, user_id }: HeldPasskey, counter: number): Promise<boolean> =>
    hasAny(sql`
      update passkeys
      set    counter = ${counter}, last_used_at = now()
      where  user_id = ${user_id} and passkey_id = ${passkey_id}
      and    (counter < ${counter} or (counter = 0 and ${counter}::bigint = 0))`),
})
