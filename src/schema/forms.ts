/** The forms for signing in, creating an account and choosing a theme. Other forms are next to what they change. */
import { z } from 'zod'
import { nameOf, Password, Username } from './user.ts'

export const RegisterForm = z
  .object({ username: Username, password: Password, password_confirmation: z.string('Enter the password again.') })
  .refine(({ password, password_confirmation }) => password === password_confirmation, {
    path: ['password_confirmation'],
    message: 'The two passwords differ.',
  })

/** Without the rules of `RegisterForm`: a name or password that breaks them is only wrong. */
export const LoginForm = z.object({
  username: z.string().max(200).default('').transform(nameOf),
  password: z.string().max(1000).default(''),
  remember: z.string().optional(),
  next: z.string().optional(),
})

export const Theme = z.enum(['system', 'light', 'dark'])
export type Theme = z.infer<typeof Theme>
export const ThemeForm = z.object({ theme: Theme })
