/** Finds out whether pages offer "Create account". */
import { createMiddleware } from 'hono/factory'
import type { Accounts } from '../../db/accounts/accounts.ts'
import { mayRegister } from '../../domain/account/sign-in.ts'
import type { Env } from './context.ts'

/** Sets `registration_open`, for people who are signed out. */
export const registrationOpen = (accounts: Accounts, registration: 'open' | 'closed') =>
  createMiddleware<Env>(async (c, next) => {
    if (c.get('user') === null) c.set('registration_open', await mayRegister(accounts, registration))
    await next()
  })
