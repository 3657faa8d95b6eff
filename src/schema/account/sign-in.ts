/** The forms for signing in, creating an account and choosing a theme. Other forms are next to what they change. */
import { z } from 'zod'
import { confirmed, NewPassword, nameOf, Username } from '../values/user.ts'

export const RegisterForm = confirmed(NewPassword.extend({ username: Username }))

/** Without the rules of `RegisterForm`: a name or password that breaks them is only wrong. */
export const LoginForm = z.object({
  username: z.string().max(200).default('').transform(nameOf),
  password: z.string().max(1000).default(''),
  remember: z.string().optional(),
  next: z.string().optional(),
})

export const Theme = z.enum(['system', 'light', 'dark'])
export type Theme = z.infer<typeof Theme>
/** How a channel shows its videos. */
export const ListView = z.enum(['list', 'grid'])
export type ListView = z.infer<typeof ListView>
export const ThemeForm = z.object({ theme: Theme })
