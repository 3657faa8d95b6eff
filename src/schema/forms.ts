/** What the pages' forms send. */
import { z } from 'zod'
import { nameOf, Password, Username } from './user.ts'

export const RegisterForm = z
  .object({ username: Username, password: Password, password_confirmation: z.string('Type the password again.') })
  .refine(({ password, password_confirmation }) => password === password_confirmation, {
    path: ['password_confirmation'],
    message: 'The two passwords differ.',
  })

/** Any name and password may be tried; what can't be one is simply wrong. */
export const LoginForm = z.object({
  username: z.string().max(200).default('').transform(nameOf),
  password: z.string().max(1000).default(''),
  remember: z.string().optional(),
  next: z.string().optional(),
})

export const Theme = z.enum(['system', 'light', 'dark'])
export type Theme = z.infer<typeof Theme>
export const ThemeForm = z.object({ theme: Theme })
