/** Deletes links and attempts to sign in that no longer work. */
import type { Everyone } from '../../everyone.ts'

/** To choose a new password. */
export async function forgetOldResets(sql: Everyone): Promise<void> {
  await sql`delete from password_resets where expires_at < now()`
}

/** To create an account. */
export async function forgetOldInvitations(sql: Everyone): Promise<void> {
  await sql`delete from invitations where expires_at < now()`
}

/** Attempts to sign in that were not finished in time. */
export async function forgetOldAttempts(sql: Everyone): Promise<void> {
  await sql`delete from sign_in_attempts where expires_at < now()`
}
