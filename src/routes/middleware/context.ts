/** What every handler may count on: who asks, and that person's library. */
import type { Context } from 'hono'
import type { Library } from '../../db/library/library.ts'
import { DomainError } from '../../errors.ts'
import type { Connection } from '../../runtime/serve.ts'
import type { Session } from '../../schema/account.ts'
import type { User } from '../../schema/user.ts'
import type { Versions } from '../../views/parts/context.ts'

export type Env = {
  Bindings: Connection
  Variables: {
    /** `null`: signed out. */
    user: User | null
    /** Where that is; `null`: nowhere, because a program brought a token. */
    session: Session | null
    /** A token was brought: no cookie counts, and the answer is for a program. */
    by_token: boolean
    /** Present behind the sign-in line only. */
    library: Library
    /** Whom the request is counted for while nobody is signed in: an IPv4 address, or the /64 of an IPv6 one. */
    client: string
    /** Where people see this site: PUBLIC_URL, or else as the request came, or as a trusted proxy says it came. */
    here: URL
    /** Whether accounts can be made here just now. */
    registration_open: boolean
    versions: Versions
  }
}

/** The page about the API, the only one under /api. */
export const docs_path = '/api/docs'

/** Whether the answer should be JSON: to a program, and under /api, unless htmx asks for a fragment. */
export const wantsJson = (c: Context<Env>): boolean =>
  c.get('by_token') === true || (c.req.path.startsWith('/api/') && c.req.path !== docs_path && !isFragment(c))

/** Whether htmx asks for a piece of a page. */
export const isFragment = (c: Context): boolean => c.req.header('hx-request') === 'true'

/** Behind https no cookie goes back in the clear. */
export const isHttps = (c: Context<Env>): boolean => c.var.here.protocol === 'https:'

/** Who is signed in; behind the sign-in line there is always someone. */
export function userOf(c: Context<Env>): User {
  if (!c.var.user) throw new DomainError('signed_out', 'Sign in first.')
  return c.var.user
}
