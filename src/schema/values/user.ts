/**
 * A person with an account, and the rules for usernames and passwords. The password itself stays in `auth/`.
 *
 * Usernames are ASCII, so that a look-alike letter of another script can't make a second `admin`.
 */
import { z } from 'zod'

/**
 * Branded, so that no other string passes for an owner. Parsed only where the owner is certain: from rows about sessions,
 * tokens, accounts and password resets (`auth/`, `db/account/`) and from job payloads (`jobs.ts`).
 */
export const UserId = z.uuid().brand<'UserId'>()
export type UserId = z.infer<typeof UserId>

/** A username in the form in which it is stored and compared. */
export const nameOf = (given: string): string => given.normalize('NFKC').trim()

/** ASCII only, so that a letter of another script that looks alike cannot imitate an existing name. */
export const Username = z
  .string('Choose a name.')
  .max(200, 'Too long: at most 32 characters.')
  .transform(nameOf)
  .pipe(
    z
      .string()
      .min(3, 'Too short: at least 3 characters.')
      .max(32, 'Too long: at most 32 characters.')
      .regex(/^[A-Za-z0-9_.-]*$/, 'Use only letters, digits, dots, dashes and underscores.'),
  )

/** Any Unicode, never trimmed or cut; the length is counted in code points. */
const Password = z
  .string('Choose a password.')
  .refine(password => [...password].length >= 8, 'Use at least 8 characters.')
  .refine(password => [...password].length <= 128, 'Use at most 128 characters.')

/** The fields of a form that chooses a password; it is typed twice. */
export const NewPassword = z.object({
  password: Password,
  password_confirmation: z.string('Enter the password again.'),
})

/** Refuses a form whose two passwords differ. */
export const confirmed = <T extends z.ZodType<z.infer<typeof NewPassword>>>(form: T) =>
  form.refine(({ password, password_confirmation }) => password === password_confirmation, {
    path: ['password_confirmation'],
    message: "The passwords don't match.",
  })

/** An administrator looks after the service, and sees no title, channel or search of others. */
export const Role = z.enum(['admin', 'member'])
export type Role = z.infer<typeof Role>

/** What one person may have at most, so that no one fills the database. Tests lower these figures. */
export const user_limits = { channels: 5000, videos: 1_000_000 }

export type User = { user_id: UserId; username: string; role: Role }

/** A user as the table stores it. `password_hash` null: the person signs in by other ways. `locked_at` null: the person may sign in. */
export type StoredUser = User & { password_hash: string | null; locked_at: Date | null }
