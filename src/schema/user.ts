/** A person with an account. The password never leaves `auth/`. */
import { z } from 'zod'

/** Minted in two places only: a validated session and a parsed job payload. */
export const UserId = z.uuid().brand<'UserId'>()
export type UserId = z.infer<typeof UserId>

/** A name as people type it, in its one form. */
export const nameOf = (given: string): string => given.normalize('NFKC').trim()

/**
 * 3–32 of ASCII letters, digits, `_`, `-`, `.`, after NFKC. ASCII alone, because a look-alike
 * from another script could otherwise pass for somebody else's name.
 */
export const Username = z
  .string('Choose a name.')
  .max(200, 'Use 3 to 32 letters, digits, dots, dashes or underscores.')
  .transform(nameOf)
  .pipe(z.string().regex(/^[A-Za-z0-9_.-]{3,32}$/, 'Use 3 to 32 letters, digits, dots, dashes or underscores.'))

/** 8–128 characters (code points), any Unicode; never trimmed or cut. */
export const Password = z
  .string('Choose a password.')
  .refine(password => [...password].length >= 8, 'Use at least 8 characters.')
  .refine(password => [...password].length <= 128, 'Use at most 128 characters.')

export type User = { user_id: UserId; username: string }

/** A user as the table stores it. */
export type StoredUser = User & { password_hash: string }
