/** The API tokens and the links of one person. */
import type { SignIns } from '../../runtime/sign-ins.ts'
import { type ApiToken, max_api_tokens } from '../../schema/account/account.ts'
import { type Link, max_links } from '../../schema/links/link.ts'
import type { User, UserId } from '../../schema/values/user.ts'
import { hasAny, onlyRow, onlyValue, type Sql } from '../postgres/client.ts'
import { type MadeSecret, type NewSecret, type SecretKind, secretsIn } from './secrets.ts'

/** The most secrets of these kinds together that a person may have. */
const most_together = {
  tokens: { kinds: ['token'], most: max_api_tokens },
  links: { kinds: ['play', 'share'], most: max_links },
}

/** `sign_ins`: forgets the sign-ins by an API token that is revoked here. */
export function secretsOf(sql: Sql, user_id: UserId, sign_ins?: SignIns) {
  const mine = sql`user_id = ${user_id}`
  // An expired API token stays in the list of API tokens. An expired link is gone.
  const isListed = (kinds: string[]) => sql`kind = any(${kinds}) and (kind = 'token' or expires_at > now())`

  return {
    /** `full`: this person has the most allowed. `not_administrator`: what it opens is for administrators only. */
    make: <K extends 'token' | 'play' | 'share'>(
      secret: Omit<NewSecret<K>, 'user_id'>,
    ): Promise<MadeSecret<K> | 'full' | 'not_administrator'> =>
      sql.begin(async tx => {
        // Without the lock, two at the same moment would not count each other, and a role could end meanwhile.
        const { role } = await onlyRow(tx<Pick<User, 'role'>[]>`
          select role from users where id = ${user_id} for no key update`)
        if ('scope' in secret.opens && secret.opens.scope === 'admin' && role !== 'admin') return 'not_administrator'
        const { kinds, most } = secret.kind === 'token' ? most_together.tokens : most_together.links
        const count = await onlyValue<number>(tx`select count(*) from secrets where ${mine} and ${isListed(kinds)}`)
        return count < most ? secretsIn(tx).make<K>({ ...secret, user_id }) : 'full'
      }),

    /** `false`: there is no such secret of these kinds. */
    async revoke(kinds: SecretKind[], secret_id: string): Promise<boolean> {
      try {
        return await hasAny(sql`
          delete from secrets
          where  ${mine} and kind = any(${kinds}) and secret_id::text = ${secret_id}`)
      } finally {
        sign_ins?.forgetUser(user_id)
      }
    },

    /** The newest first. */
    tokens: (): Promise<ApiToken[]> => sql<ApiToken[]>`
      select   secret_id as token_id, name, opens->>'scope' as scope, created_at, last_used_at, expires_at
      from     secrets
      where    ${mine} and ${isListed(most_together.tokens.kinds)}
      order by created_at desc, secret_id`,

    /** The newest first. */
    links: (): Promise<Link[]> => sql<Link[]>`
      select    secret_id as link_id, kind, video_id, title, created_at, last_used_at, expires_at
      from      secrets
      cross join lateral (select opens->>'video_id' as video_id) opened
      left join lateral (
                select   title
                from     video_entries entry
                where    entry.user_id = ${user_id} and entry.video_id = opened.video_id
                order by id
                limit    1) entry on true
      where     ${mine} and ${isListed(most_together.links.kinds)}
      order by  created_at desc, secret_id`,
  }
}
