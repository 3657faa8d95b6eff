/** The identities that others vouch for, and the accounts that they open. The key of an identity is (issuer, subject), never a name. */
import { isToBeNoted } from '../../runtime/clock.ts'
import { unlessReadOnly } from '../../runtime/read-only.ts'
import type { SignIns } from '../../runtime/sign-ins.ts'
import type { Identity, IdentityKey, LinkedIdentity } from '../../schema/account/identity.ts'
import type { StoredUser, UserId } from '../../schema/values/user.ts'
import { countOf, hasAny, type Queryable, type Sql } from '../postgres/client.ts'
import { isFirstAccount } from './accounts.ts'
import { type Removal, removeUnlessLast } from './last-way-in.ts'
import { storedUserIn, user_columns } from './stored-users.ts'

export type Identities = ReturnType<typeof identitiesIn>

/** `numbered`: a taken name gets -2, -3 and so on. `only_first`: there must be no account yet. */
type Wish = { username: string; numbered?: boolean; only_first?: boolean }

export function identitiesIn(sql: Sql) {
  /** The account that an identity opens, locked or not. Records the use. `undefined`: it is linked to no account. */
  const find = async ({ issuer, subject }: IdentityKey): Promise<StoredUser | undefined> => {
    const [found] = await sql<(StoredUser & { last_used_at: Date | null; last_seen_at: Date | null })[]>`
      select ${user_columns(sql)}, last_used_at, last_seen_at
      from   identities
      join   users on users.id = user_id
      where  issuer = ${issuer} and subject = ${subject}`
    if (!found) return undefined
    const { last_used_at, last_seen_at, ...account } = found
    if (isToBeNoted(last_used_at) || isToBeNoted(last_seen_at))
      await unlessReadOnly(sql`
        with used as (
          update identities
          set    last_used_at = now()
          where  issuer = ${issuer} and subject = ${subject}
          and    (last_used_at is null or last_used_at < now() - interval '1 minute')
        )
        update users
        set    last_seen_at = now()
        where  id = ${account.user_id} and locked_at is null
        and    (last_seen_at is null or last_seen_at < now() - interval '1 minute')`)
    return storedUserIn([account])
  }

  /**
   * Creates an account without a password, opened by this identity. If the identity has an account already, returns that account.
   * `taken`: another account has the name. `not_first`: `only_first` was given, and there is an account already.
   */
  const create = async (identity: Identity, wish: Wish): Promise<StoredUser | 'taken' | 'not_first'> => {
    const linked = new Error('the identity has an account')
    try {
      return await sql.begin(async tx => {
        if (wish.only_first && !(await isFirstAccount(tx))) return 'not_first'
        const account = await addAccount(tx, wish)
        if (!account) return 'taken'
        if ((await addIdentity(tx, account.user_id, identity)) === 0) throw linked
        return account
      })
    } catch (fault) {
      const account = fault === linked ? await find(identity) : undefined
      if (!account) throw fault
      return account
    }
  }

  return { find, create }
}

/** If all these numbers are taken, or so many tries meet other requests that take the name, the name counts as taken. */
const max_numbers = 1000
const max_tries = 20

async function addAccount(tx: Queryable, { username, numbered = false }: Wish): Promise<StoredUser | undefined> {
  for (let nth = 0; nth < (numbered ? max_tries : 1); nth++) {
    const rows = await tx<StoredUser[]>`
      with candidates as (
        select nth, case nth when 1 then ${username}::text else left(${username}, 31 - length(nth::text)) || '-' || nth end as name
        from   generate_series(1, ${numbered ? max_numbers : 1}) nth
      )
      insert into users (username, password_hash)
      select   name, null
      from     candidates
      where    not exists (select from users where lower(username) = lower(name))
      order by nth
      limit    1
      on conflict (lower(username)) do nothing
      returning ${user_columns(tx)}`
    const account = storedUserIn(rows)
    if (account) return account
  }
  return undefined
}

const addIdentity = (tx: Queryable, user_id: UserId, { issuer, subject, name }: Identity): Promise<number> =>
  countOf(tx`
    insert into identities (issuer, subject, user_id, name, last_used_at)
    values (${issuer}, ${subject}, ${user_id}, ${name}, now())
    on conflict (issuer, subject) do nothing`)

/** The identities of one person. `sign_ins`: forgets the sign-ins by an identity that is unlinked here. */
export function identitiesOf(sql: Sql, user_id: UserId, sign_ins?: SignIns) {
  const mine = sql`user_id = ${user_id}`
  return {
    /** The oldest first. */
    list: (): Promise<LinkedIdentity[]> => sql<LinkedIdentity[]>`
      select   issuer, subject, name, created_at, last_used_at
      from     identities
      where    ${mine}
      order by created_at, issuer, subject`,

    /** `false`: the identity opens another account. */
    async link(identity: Identity): Promise<boolean> {
      await addIdentity(sql, user_id, identity)
      return hasAny(sql`
        select from identities
        where  ${mine} and issuer = ${identity.issuer} and subject = ${identity.subject}`)
    },

    async unlink({ issuer, subject }: IdentityKey): Promise<Removal> {
      try {
        return await removeUnlessLast(sql, user_id, tx =>
          countOf(tx`
            delete from identities
            where  ${mine} and issuer = ${issuer} and subject = ${subject}`),
        )
      } finally {
        sign_ins?.forgetUser(user_id)
      }
    },
  }
}
