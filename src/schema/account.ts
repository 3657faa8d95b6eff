/** What belongs to an account besides its videos: where it is signed in, and the tokens its programs bring. */
import { z } from 'zod'
import { Password } from './user.ts'

/** Somewhere the account is signed in. */
export type Session = {
  /** A public name of it; what is in the cookie, and its hash, stay where they are. */
  session_id: string
  created_at: Date
  /** To the minute. */
  used_at: Date
  /** "Firefox on Linux"; `null`: it said nothing we know. */
  device: string | null
  /** Whether it lasts beyond the browser. */
  remembered: boolean
}

/** `read`: nothing can be changed with it. */
export const Scope = z.enum(['read', 'write'])
export type Scope = z.infer<typeof Scope>

export type ApiToken = {
  token_id: string
  name: string
  scope: Scope
  created_at: Date
  /** To the minute; `null`: never. */
  last_used_at: Date | null
  /** `null`: it holds until it is revoked. */
  expires_at: Date | null
}

export const most_tokens = 50

export const lifetimes_days = [30, 90, 365] as const

export const TokenForm = z.object({
  name: z.string('Give it a name.').trim().min(1, 'Give it a name.').max(60, 'Use at most 60 characters.'),
  scope: Scope.default('read'),
  /** Empty: it does not expire. */
  expires_in_days: z
    .enum(['', ...lifetimes_days.map(String)], 'Choose one of the list.')
    .default('')
    .transform(days => (days === '' ? null : Number(days))),
})
export type NewToken = z.infer<typeof TokenForm>

export const PasswordForm = z
  .object({
    current_password: z.string('Type your password.').max(1000).default(''),
    password: Password,
    password_confirmation: z.string('Type the new password again.'),
  })
  .refine(({ password, password_confirmation }) => password === password_confirmation, {
    path: ['password_confirmation'],
    message: 'The two passwords differ.',
  })

export const ResetForm = z
  .object({
    token: z.string().max(200).default(''),
    password: Password,
    password_confirmation: z.string('Type the new password again.'),
  })
  .refine(({ password, password_confirmation }) => password === password_confirmation, {
    path: ['password_confirmation'],
    message: 'The two passwords differ.',
  })

export const DeleteForm = z.object({ password: z.string().max(1000).default('') })

/** `others`: this one goes on. */
export const EndSessionsForm = z.object({ others: z.string().optional() })

export const AccountSummary = z.object({
  username: z.string(),
  /** Bytes; null: as much as fits. */
  quota_bytes: z.number().int().nullable(),
  /** Bytes of all files. */
  on_disk_bytes: z.number().int(),
})
export type AccountSummary = z.infer<typeof AccountSummary>

/** What goes with an account. */
export type Holdings = { channels: number; videos: number; on_disk_bytes: number }
