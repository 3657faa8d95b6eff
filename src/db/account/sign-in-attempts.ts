/**
 * What a browser began and has to finish within minutes: a sign-in at a provider or by a passkey, or adding one of them. The secret is in
 * the browser's cookie, and the table has its hash. An attempt is used once.
 */
import { hash, randomBytes } from 'node:crypto'
import type { JSONValue } from 'postgres'
import { UserId } from '../../schema/values/user.ts'
import type { Sql } from '../postgres/client.ts'

export type Purpose = 'oidc' | 'passkey' | 'new_passkey'

/** `user_id`: who adds a way to sign in; null: the attempt is a sign-in. */
export type Attempt = { details: unknown; user_id: UserId | null }

export type SignInAttempts = ReturnType<typeof signInAttemptsIn>

export const signInAttemptsIn = (sql: Sql) => ({
  /** Returns the secret that ends the attempt. */
  async begin(purpose: Purpose, details: JSONValue, user_id: UserId | null, lasts_s: number): Promise<string> {
    const secret = randomBytes(32).toString('hex')
    await sql`
      insert into sign_in_attempts (hash, purpose, details, user_id, expires_at)
      values (${hashOf(secret)}, ${purpose}, ${sql.json(details)}, ${user_id}, now() + ${lasts_s} * interval '1 second')`
    return secret
  },

  /** Ends the attempt. `undefined`: it is unknown, used, expired, or was begun for another purpose. */
  async take(secret: string, purpose: Purpose): Promise<Attempt | undefined> {
    const [attempt] = await sql<{ details: unknown; user_id: string | null }[]>`
      delete from sign_in_attempts
      where  hash = ${hashOf(secret)} and purpose = ${purpose} and expires_at > now()
      returning details, user_id`
    return (
      attempt && { details: attempt.details, user_id: attempt.user_id === null ? null : UserId.parse(attempt.user_id) }
    )
  },
})

const hashOf = (secret: string) => hash('sha256', secret)
