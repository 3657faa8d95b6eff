/**
 * Secrets: random tokens, each of which opens one thing for everyone who has it. Here is the only way to make one, and the only way to look
 * one up. The table has only hashes, so a leaked table opens nothing. Sessions are in `auth/sessions.ts`.
 */
import { hash, randomBytes } from 'node:crypto'
import { rememberSignIns } from '../../runtime/sign-ins.ts'
import type { Scope } from '../../schema/account/account.ts'
import type { ProviderAttempt } from '../../schema/account/identity.ts'
import { max_addresses } from '../../schema/podcasts/podcast.ts'
import type { User, UserId } from '../../schema/values/user.ts'
import { eachValue, firstRow, onlyRow, type Piece, type Queryable } from '../postgres/client.ts'

type Link = { video_id?: string; podcast_id?: string }

/** What a secret of each kind opens. */
type Opens = {
  /** The API, for a program. */
  token: { scope: Scope }
  /** The file of a video. */
  play: Link
  /** A page with the video. */
  share: Link
  /** A podcast. */
  podcast: Link
  /** A new account, once. */
  invitation: Record<string, never>
  /** The choice of a new password, once. */
  reset: Record<string, never>
  /** What a browser began and has to finish within minutes, once: a sign-in at a provider or by a passkey, or adding one of them. */
  oidc: ProviderAttempt & { next: string }
  passkey: { challenge: string }
  new_passkey: { challenge: string; name: string }
}
export type Kind = keyof Opens

/** A time where every secret of the kind expires. */
type Expiry<K extends Kind, Time> = K extends 'token' | 'podcast' ? Time | null : Time

/** `user_id` null: it is no one's yet. `made_by`: the administrator with whose role it ends. `lasts_s` null: until it is revoked. */
export type NewSecret<K extends Kind> = {
  kind: K
  user_id: UserId | null
  made_by?: UserId | null
  opens: Opens[K]
  name?: string
  lasts_s: Expiry<K, number>
}

/** `token`: what opens. It is stored nowhere, so it can't be shown again. */
export type MadeSecret<K extends Kind = Kind> = { secret_id: string; token: string; expires_at: Expiry<K, Date> }

/** `user`: whose it is. */
export type Opened<K extends Kind> = {
  secret_id: string
  kind: K
  opens: Opens[K]
  name: string
  user: K extends 'invitation' | 'oidc' | 'passkey' ? User | null : User
  expires_at: Date | null
}

/** Whether secrets of the kind open again and again, or once. */
export const lasting: Record<Kind, boolean> = {
  token: true,
  play: true,
  share: true,
  podcast: true,
  invitation: false,
  reset: false,
  oidc: false,
  passkey: false,
  new_passkey: false,
}
export const lasting_kinds = Object.entries(lasting).flatMap(([kind, is_lasting]) => (is_lasting ? [kind] : []))

/** A person has at most so many that open the same. A further one replaces the one whose last use is the longest ago. */
const most_of_same: Partial<Record<Kind, number>> = { podcast: max_addresses, reset: 1 }

export type Secrets = ReturnType<typeof secretsIn>

/** `sign_ins` remembers the owners of API tokens for a moment. A revoked secret of another kind opens nothing at once, in every process. */
export function secretsIn(sql: Queryable, sign_ins = rememberSignIns()) {
  /** The secrets that open now: a secret that has not ended, of a person who is not locked, and whose maker still has the role. */
  const valid = (which: Piece) => sql`
    select    secret_id, kind, opens, name, last_used_at, expires_at,
              case when user_id is not null
                then jsonb_build_object('user_id', user_id, 'username', owner.username, 'role', owner.role) end as user
    from      secrets
    left join users owner on owner.id = user_id
    left join users maker on maker.id = made_by
    where     ${which}
    and       (expires_at is null or expires_at > now())
    and       owner.locked_at is null
    and       (made_by is null or (maker.role = 'admin' and maker.locked_at is null))`

  /** `act`: on what is found. `undefined`: nothing is found. */
  const find = async <K extends Kind>(kinds: K[], token: string, act: Piece, joined = sql``) =>
    /^(?:backlot_)?[0-9a-f]{64}$/.test(token)
      ? firstRow(sql<Opened<K>[]>`
          with found as (${valid(sql`hash = ${hash('sha256', token)} and kind = any(${kinds})`)}), ${act}
          select found.* from found ${joined}`)
      : undefined

  /** Finds what a token of these kinds opens, and records the use of one that opens again and again. */
  const open = <K extends Kind>(kinds: K[], token: string) =>
    find(
      kinds,
      token,
      sql`
        used as (
          update secrets
          set    last_used_at = now()
          from   found
          where  secrets.secret_id = found.secret_id and found.kind = any(${lasting_kinds})
          and    (found.last_used_at is null or found.last_used_at < now() - interval '1 minute')
          returning secrets.user_id, secrets.kind
        ),
        seen as (
          update users
          set    last_seen_at = now()
          where  id in (select user_id from used where kind = 'token')
        )`,
    )

  return {
    open,

    /** Finds what a token of these kinds opens, for the last time. Of two at the same moment, the second finds nothing. */
    spend: <K extends Kind>(kinds: K[], token: string) =>
      find(
        kinds,
        token,
        sql`
          spent as (
            delete from secrets
            using  found
            where  secrets.secret_id = found.secret_id
            returning secrets.secret_id
          )`,
        sql`join spent using (secret_id)`,
      ),

    /** An API token with its owner. */
    ownerOf: (token: string): Promise<Opened<'token'> | undefined> =>
      sign_ins.find(`token ${hash('sha256', token)}`, () => open(['token'], token)),

    /** 256 random bits. Secret scanners recognise the prefix of an API token in published code. */
    async make<K extends Kind>({ kind, user_id, made_by = null, opens, name = '', lasts_s }: NewSecret<K>) {
      const token = `${kind === 'token' ? 'backlot_' : ''}${randomBytes(32).toString('hex')}`
      const most = most_of_same[kind]
      if (most !== undefined)
        await sql`
          delete from secrets
          where  user_id = ${user_id} and secret_id in (
                   select   secret_id
                   from     secrets
                   where    user_id = ${user_id} and kind = ${kind} and opens = ${sql.json(opens)}
                   order by last_used_at desc nulls last, created_at desc, secret_id
                   offset   ${most - 1})`
      const made = await onlyRow(sql<Omit<MadeSecret<K>, 'token'>[]>`
        insert into secrets (kind, hash, user_id, made_by, opens, name, expires_at)
        values (${kind}, ${hash('sha256', token)}, ${user_id}, ${made_by}, ${sql.json(opens)}, ${name},
                now() + ${lasts_s} * interval '1 second')
        returning secret_id, expires_at`)
      return { ...made, token }
    },

    /** Returns those of these secrets that are still valid. */
    stillValid: async (secret_ids: string[]): Promise<Set<string>> =>
      new Set(
        await eachValue<string>(sql`
          select secret_id from (${valid(sql`secret_id = any(${secret_ids}::uuid[])`)}) still`),
      ),
  }
}
