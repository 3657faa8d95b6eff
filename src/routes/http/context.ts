/**
 * The variables that middleware sets and every handler can read, such as the user and their library.
 *
 * A handler parses the request, makes one call, and renders the result. The call goes to `c.var.library` if it only reads or
 * stores, and to `domain/` if a rule of the product decides.
 *
 * `c.var` copies all variables each time it is read, so middleware that runs for every request uses `c.get` instead.
 */
import type { Context } from 'hono'
import type { Opened } from '../../db/account/secrets.ts'
import type { Desk } from '../../db/admin/desk.ts'
import type { Library } from '../../db/library.ts'
import type { Unlinked } from '../../domain/account/proxy-people.ts'
import { DomainError } from '../../errors.ts'
import type { Connection } from '../../runtime/serve.ts'
import type { OnEveryPage, Session } from '../../schema/account/account.ts'
import type { LinkKind } from '../../schema/links/link.ts'
import type { User } from '../../schema/values/user.ts'
import type { Versions } from '../../views/frames/context.ts'

/** The work that a request causes; `request-kind.ts` decides it. */
export type RequestKind = 'lookups' | 'refreshes' | 'imports' | 'searches' | 'files' | 'pictures' | 'requests'

export type Here = Readonly<Pick<URL, 'host' | 'protocol' | 'pathname'>>

export type Env = {
  Bindings: Connection
  Variables: {
    /** `null`: signed out. */
    user: User | null
    /** `null`: signed out, or signed in by a token or a proxy. */
    session: Session | null
    /** The request has an API token: cookies are ignored, and the answer is for a program. */
    by_token: boolean
    /** What a trusted proxy sent in AUTH_HEADER. From any other sender it is removed. */
    proxy_header?: string
    /** A trusted proxy said who sent the request. The session cookie does not count, and may be another person's. */
    by_proxy: boolean
    /** The name that a trusted proxy gave, if it opens no account. */
    unlinked?: Unlinked | undefined
    /** Set by `requireSignIn`; only the routes mounted after it may read it. */
    library: Library
    /** What the address of the request opens without a sign-in. Set by `linkDoor`; only the routes mounted after it may read it. */
    link: Opened<LinkKind>
    /** Set by `requireAdministrator`; only the routes mounted after it may read it. */
    desk: Desk
    /** The client's IPv4 address, or the /64 of its IPv6 address; requests are counted by it while signed out. */
    client: string
    /**
     * The site's address as people see it: from PUBLIC_URL, else from a trusted proxy's headers, else from the request. Shared by requests.
     */
    here: Here
    /** Set once the sender of the request is known. */
    kind: RequestKind
    /** Whether a new account can be created now. */
    registration_open: boolean
    /** Version of each static file, by its name. */
    versions: Versions
    /** Hours in which what was deleted can be restored; 0: it cannot. */
    bin_hours: number
    /** The name of the OpenID provider; absent: there is none. */
    provider_label?: string | undefined
    /** Only pages have it. */
    on_every_page?: OnEveryPage
  }
}

/** The only page under `/api`. */
export const docs_path = '/api/docs'

/** Programs get JSON: every request with a token, and every request under /api that htmx did not send. */
export const wantsJson = (c: Context<Env>): boolean =>
  c.get('by_token') || (c.req.path.startsWith('/api/') && c.req.path !== docs_path && !isFragment(c))

/** Whether htmx requests a part of a page. */
export const isFragment = (c: Context): boolean => c.req.header('hx-request') === 'true'

/** Whether a form of a page was sent without a script. */
export const isPlainForm = (c: Context<Env>): boolean => !isFragment(c) && !wantsJson(c)

/** The signed-in user; there is always one after `requireSignIn`. */
export function userOf(c: Context<Env>): User {
  if (!c.var.user) throw new DomainError('signed_out', 'Sign in first.')
  return c.var.user
}

/** Whether people reach this site by https. */
export const isHttps = (c: Context<Env>): boolean => c.get('here').protocol === 'https:'

export const originOf = (c: Context<Env>): string => `${c.get('here').protocol}//${c.get('here').host}`

/** The path below which this site is, such as `/backlot`; empty at the root of its host. */
export const baseOf = (c: Context<Env>): string => c.get('here').pathname.replace(/\/+$/, '')

/** The address of this site as people see it: links that are handed over begin with it. */
export const siteOf = (c: Context<Env>): string => originOf(c) + baseOf(c)
