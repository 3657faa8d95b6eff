/**
 * Secrets. A secret opens one thing for everyone who has its token: a random text in an address, a cookie or a header. Here is the only way
 * to make a secret, and the only way to find one by its token. The table has only hashes of tokens, so a leaked table opens nothing. The
 * secret of the kind `token` is an API token. Sessions are in `auth/sessions.ts`.
 */
import { hash, randomBytes } from 'node:crypto'
import { isToBeNoted } from '../../runtime/clock.ts'
import { unlessReadOnly } from '../../runtime/read-only.ts'
import { rememberSignIns } from '../../runtime/sign-ins.ts'
import type { Scope } from '../../schema/account/account.ts'
import type { ProviderAttempt } from '../../schema/account/identity.ts'
import { max_addresses } from '../../schema/podcasts/podcast.ts'
import type { User, UserId } from '../../schema/values/user.ts'
import { eachValue, firstRow, onlyRow, type Piece, type Queryable } from '../postgres/client.ts'

type VideoOrPodcast = { video_id?: string; podcast_id?: string }

/** What a secret of each kind opens. */
type Opens = {
  /** The API, for a program. */
  token: { scope: Scope }
  /** The file of a video. */
  play: VideoOrPodcast
  /** A page with the video. */
  share: VideoOrPodcast
  /** A podcast. */
  podcast: VideoOrPodcast
  /** A new account, once. */
  invitation: Record<string, never>
  /** The choice of a new password, once. */
  reset: Record<string, never>
  /** What a browser began and has to finish within minutes, once: a sign-in at a provider or by a passkey, or adding one of them. */
  oidc: ProviderAttempt & { next: string }
  passkey: { challenge: string }
  new_passkey: { challenge: string; name: string }
}
export type SecretKind = keyof Opens

/** `null`, for two kinds only: the secret lasts until it is revoked. */
type Expiry<K extends SecretKind, Time> = K extends 'token' | 'podcast' ? Time | null : Time

/** `user_id` null: the secret is no one's yet. `made_by`: an administrator, with whose role the secret ends. `lasts_s`: seconds. */
export type NewSecret<K extends SecretKind> = {
  kind: K
  user_id: UserId | null
  made_by?: UserId | null
  opens: Opens[K]
  name?: string
  lasts_s: Expiry<K, number>
  /** From `newToken`, if something of it is stored elsewhere. */
  token?: string
}

/** `token` is stored nowhere, so it can't be shown again. */
export type MadeSecret<K extends SecretKind = SecretKind> = {
  secret_id: string
  token: string
  expires_at: Expiry<K, Date>
}

/** A secret that was found by its token. `user`: whose secret it is. */
export type Opened<K extends SecretKind> = {
  secret_id: string
  kind: K
  opens: Opens[K]
  name: string
  user: K extends 'invitation' | 'oidc' | 'passkey' ? User | null : User
  expires_at: Date | null
}

/** The kinds whose secrets open again and again. Secrets of the other kinds open once. */
export const lasting_kinds: SecretKind[] = ['token', 'play', 'share', 'podcast']

/** 256 random bits. Secret scanners recognise the prefix of an API token in published code. */
export const newToken = (kind: SecretKind): string =>
  `${kind === 'token' ? 'backlot_' : ''}${randomBytes(32).toString('hex')}`

const isToken = (text: string) => /^(?:backlot_)?[0-9a-f]{64}$/.test(text)

/** The most secrets of a person that open the same. A further secret replaces the one whose last use is the longest ago. */
const most_of_same: Partial<Record<SecretKind, number>> = { podcast: max_addresses, reset: 1 }

export type Secrets = ReturnType<typeof secretsIn>

/** `sign_ins` remembers the owners of API tokens for a moment. Other secrets are looked up each time, so a revoked one opens nothing. */
export function secretsIn(sql: Queryable, sign_ins = rememberSignIns()) {
  /** The secrets that open now: they have not expired, their person is not locked, and their maker is still an administrator. */
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

  const ofToken = (kinds: SecretKind[], token: string) =>
    valid(sql`hash = ${hash('sha256', token)} and kind = any(${kinds})`)

  /** Finds the secret of one of these kinds by its token. Records the use of a secret that opens again and again. */
  async function open<K extends SecretKind>(kinds: K[], token: string): Promise<Opened<K> | undefined> {
    if (!isToken(token)) return undefined
    const found = await firstRow(sql<(Opened<K> & { last_used_at: Date | null })[]>`${ofToken(kinds, token)}`)
    if (found && lasting_kinds.includes(found.kind) && isToBeNoted(found.last_used_at))
      await unlessReadOnly(sql`
        with used as (
          update secrets
          set    last_used_at = now()
          where  secret_id = ${found.secret_id}
          returning user_id, kind
        )
        update users
        set    last_seen_at = now()
        where  id in (select user_id from used where kind = 'token')`)
    return found
  }

  return {
    open,

    /** Finds the secret of one of these kinds by its token, and deletes the secret. Of two at the same moment, the second finds nothing. */
    spend: async <K extends SecretKind>(kinds: K[], token: string) =>
      isToken(token)
        ? firstRow(sql<Opened<K>[]>`
            with found as (${ofToken(kinds, token)}),
            spent as (
              delete from secrets
              using  found
              where  secrets.secret_id = found.secret_id
              returning secrets.secret_id
            )
            select found.* from found join spent using (secret_id)`)
        : undefined,

    /** An API token with its owner. */
    ownerOf: (token: string): Promise<Opened<'token'> | undefined> =>
      sign_ins.find(`token ${hash('sha256', token)}`, () => open(['token'], token)),

    async make<K extends SecretKind>(secret: NewSecret<K>) {
      const { kind, user_id, made_by = null, opens, name = '', lasts_s, token = newToken(kind) } = secret
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
