/** An account: its sessions, its API tokens, and the forms that create and change the account, sign in, and choose how pages look. */
import { z } from 'zod'
import { confirmed, NewPassword, nameOf, Username } from '../values/user.ts'

/** A browser in which the account is signed in. */
export type Session = {
  /** A public id, made for pages. The token in the cookie and its hash are never shown. */
  session_id: string
  created_at: Date
  /** To the minute. */
  used_at: Date
  /** For example "Firefox on Linux"; `null` when the browser is unknown. */
  device: string | null
  /** Whether the session survives closing the browser. */
  remembered: boolean
}

/** What an API token may do: `read` changes nothing; `admin` also opens the desk, as long as the owner is an administrator. */
export const Scope = z.enum(['read', 'write', 'admin'])
export type Scope = z.infer<typeof Scope>

/** An API token as its owner sees it, without the text that programs send. */
export type ApiToken = {
  token_id: string
  name: string
  scope: Scope
  created_at: Date
  /** To the minute; `null`: never. */
  last_used_at: Date | null
  /** `null`: valid until it is revoked. */
  expires_at: Date | null
}

export const max_api_tokens = 50

export const api_token_lifetimes_days = [30, 90, 365] as const

export const TokenForm = z.object({
  name: z.string('Enter a name.').trim().min(1, 'Enter a name.').max(60, 'Use at most 60 characters.'),
  scope: Scope.default('read'),
  /** Empty: the token does not expire. */
  expires_in_days: z
    .enum(['', ...api_token_lifetimes_days.map(String)], 'Choose an option from the list.')
    .default('')
    .transform(days => (days === '' ? null : Number(days))),
})
export type NewApiToken = z.infer<typeof TokenForm>

export const PasswordForm = confirmed(
  NewPassword.extend({ current_password: z.string('Enter your password.').max(1000).default('') }),
)

export const ResetForm = confirmed(NewPassword.extend({ token: z.string().max(200).default('') }))

/** `username`: typed by a person without a password. */
export const DeleteForm = z.object({
  password: z.string().max(1000).default(''),
  username: z.string().max(200).default(''),
})

/** `others`: end all sessions except this one. */
export const EndSessionsForm = z.object({ others: z.string().optional() })

export const AccountSummary = z.object({
  username: z.string().describe('The name you sign in with.'),
  quota_bytes: z.int().nullable().describe('How many bytes your files may use; null: no quota.'),
  on_disk_bytes: z.int().describe('The size of all your files, in bytes.'),
})
export type AccountSummary = z.infer<typeof AccountSummary>

/** What deleting an account would delete. */
export type Holdings = { channels: number; videos: number; on_disk_bytes: number }

/** `invitation`: the token of the link that the newcomer opened; empty: none. */
export const RegisterForm = confirmed(
  NewPassword.extend({ username: Username, invitation: z.string().max(200).default('') }),
)

/** Checks no rule of `RegisterForm`, because a name or password that breaks a rule is wrong anyway. */
export const LoginForm = z.object({
  username: z.string().max(200).default('').transform(nameOf),
  password: z.string().max(1000).default(''),
  remember: z.string().optional(),
  next: z.string().optional(),
})

export const Theme = z.enum(['system', 'light', 'dark'])
export type Theme = z.infer<typeof Theme>
export const ThemeForm = z.object({ theme: Theme })

/** What every page shows of the person who asks for it. */
export type OnEveryPage = {
  /** How many downloads run or wait. */
  active_downloads: number
  /** Whether single keys do something. */
  keyboard_shortcuts: boolean
  /** Whether any channel is followed. */
  follows_any: boolean
}
