/** The tokens with which programs use the API. Stores no secret, only hashes. */
import { rememberSignIns, type SignIns } from '../../runtime/sign-ins.ts'
import { type ApiToken, max_tokens, type Scope } from '../../schema/account/account.ts'
import { type User, UserId } from '../../schema/values/user.ts'
import { firstRow, hasAny, type Sql } from '../postgres/client.ts'

export type TokenOwner = { user: User; scope: Scope }

export type TokenOwners = ReturnType<typeof tokenOwnersIn>

/** `sign_ins` remembers owners for a moment; a token that is revoked here is forgotten there. */
export const tokenOwnersIn = (sql: Sql, sign_ins = rememberSignIns()) => ({
  /** Also notes the use. `undefined`: there is no such token, it has expired, or its owner is locked. */
  find: (hash: string): Promise<TokenOwner | undefined> => sign_ins.find(`token ${hash}`, () => ownerOf(sql, hash)),
})

async function ownerOf(sql: Sql, hash: string) {
  const [owner] = await sql<(User & { scope: Scope; expires_at: Date | null })[]>`
    with found as (
      select id, user_id, scope, last_used_at, expires_at
      from   api_tokens
      where  hash = ${hash} and (expires_at is null or expires_at > now())
    ),
    noted as (
      update api_tokens token
      set    last_used_at = now()
      from   found
      where  token.id = found.id
      and    (found.last_used_at is null or found.last_used_at < now() - interval '1 minute')
      returning token.user_id
    ),
    seen as (
      update users
      set    last_seen_at = now()
      where  id in (select user_id from noted)
    )
    select user_id, username, role, scope, expires_at
    from   found
    join   users on users.id = found.user_id
    where  locked_at is null`
  if (!owner) return undefined
  const { user_id, scope, expires_at, ...user } = owner
  return { user: { ...user, user_id: UserId.parse(user_id) }, scope, expires_at }
}

export type Tokens = ReturnType<typeof tokensOf>

type AddedToken = Pick<ApiToken, 'name' | 'scope' | 'expires_at'> & { hash: string }

/** The tokens of one person. */
export function tokensOf(sql: Sql, user_id: UserId, sign_ins?: SignIns) {
  const mine = sql`user_id = ${user_id}`
  const columns = sql`id as token_id, name, scope, created_at, last_used_at, expires_at`

  return {
    /** The newest first. */
    list: (): Promise<ApiToken[]> => sql<ApiToken[]>`
      select   ${columns}
      from     api_tokens
      where    ${mine}
      order by created_at desc, id`,

    /** `undefined`: this person has the most tokens allowed. `not_administrator`: the scope is for administrators only. */
    add: ({ name, scope, hash, expires_at }: AddedToken): Promise<ApiToken | 'not_administrator' | undefined> =>
      sql.begin(async tx => {
        // Without the lock, two at the same moment would not count each other, and a role could end meanwhile.
        const [owner] = await tx<Pick<User, 'role'>[]>`select role from users where id = ${user_id} for update`
        if (scope === 'admin' && owner?.role !== 'admin') return 'not_administrator'
        return firstRow(tx<ApiToken[]>`
          insert into api_tokens (user_id, name, scope, hash, expires_at)
          select ${user_id}, ${name}, ${scope}, ${hash}, ${expires_at}
          where  (select count(*) from api_tokens where ${mine}) < ${max_tokens}
          returning ${columns}`)
      }),

    /** `false`: there is no such token. */
    async revoke(token_id: string): Promise<boolean> {
      try {
        return await hasAny(sql`
          delete from api_tokens
          where  ${mine} and id::text = ${token_id}`)
      } finally {
        sign_ins?.forgetUser(user_id)
      }
    },
  }
}
