/** Finds out whether pages offer "Create account". */
import type { Context } from 'hono'
import type { Accounts } from '../../db/account/accounts.ts'
import { mayRegister } from '../../domain/account/sign-in.ts'
import type { Env } from './context.ts'

/** Sets `registration_open`, for people who are signed out. */
export const registrationOpen =
  (accounts: Accounts, registration: 'open' | 'closed') =>
  async (c: Context<Env>): Promise<void> => {
    if (c.get('user') === null) c.set('registration_open', await mayRegister(accounts, registration))
  }
