/**
 * Signing in by the OpenID provider, and linking an account to it.
 *
 * A browser that goes to the provider keeps a secret in a cookie, and comes back with it: the attempt is used once, by that browser. A
 * refusal is a message on the page from which the person started, where other ways to sign in are.
 */
import { hash } from 'node:crypto'
import { type Context, Hono } from 'hono'
import type { OpenIdProvider } from '../../auth/oidc.ts'
import type { Opened } from '../../db/account/secrets.ts'
import type { Library } from '../../db/library.ts'
import { requirePassword } from '../../domain/account/account.ts'
import { linkIdentity, type ProviderRules, signInByProvider, unlinkIdentity } from '../../domain/account/identities.ts'
import { type Authenticator, accountLocked } from '../../domain/account/sign-in.ts'
import { DomainError, nothingHere } from '../../errors.ts'
import type { Log } from '../../runtime/log.ts'
import { type Identity, LinkForm, UnlinkForm } from '../../schema/account/identity.ts'
import type { UserId } from '../../schema/values/user.ts'
import { ContinuePage } from '../../views/account/continue-page.tsx'
import { goTo } from '../http/answers.tsx'
import { type Env, siteOf, userOf } from '../http/context.ts'
import { hostCookie, keepNewest } from '../http/cookies.ts'
import { pageOf } from '../http/page.ts'
import { safeNext } from '../http/redirects.ts'
import type { SessionCookies } from '../http/sign-in.ts'
import { errorsAt, orRefusal, valid } from '../http/valid.ts'

type Deps = {
  /** Absent: the operator names none. */
  provider?: OpenIdProvider | undefined
  rules: Omit<ProviderRules, 'label' | 'actor'>
  authenticator: Authenticator
  libraryOf(user_id: UserId): Library
  cookies: SessionCookies
  log: Log
}

/** Each attempt has its own cookie, so two tabs never take the attempt of each other. `state`: from an address, so any text. */
const attemptCookie = (state: string) => hostCookie(attempt_name + hash('sha256', state).slice(0, 16))
const attempt_name = 'oidc-'
const attempt_lasts_s = 600
/** A browser has at most this many attempts; a further one replaces the oldest. */
const max_attempts = 5
const account_path = '/settings/account#ways-in'

/** The public pages: to the provider, and back. */
export function oidcPages(deps: Deps) {
  const { authenticator, cookies, log } = deps

  const refuse = (c: Context<Env>, refusal: DomainError, back: string) => {
    const { code } = (refusal.cause ?? {}) as { code?: string }
    if (refusal.cause) log.warn({ because: String(refusal.cause).slice(0, 300), code }, refusal.message)
    return goTo(c, back, refusal)
  }

  const finish = async (c: Context<Env>, provider: OpenIdProvider, { opens, user }: Opened<'oidc'>) => {
    const { next, ...attempt } = opens
    const identity = await provider.finish(attempt, new URL(c.req.url).search)
    if (user) return link(c, provider, user.user_id, identity)
    const { label, actor } = provider
    const rules = { label, actor, ...deps.rules }
    const account = await signInByProvider(authenticator, identity, rules)
    if (!(await cookies.begin(c, account, true, 'provider'))) throw accountLocked()
    return goTo(c, safeNext(next), `Signed in as ${account.username}.`)
  }

  const link = async (c: Context<Env>, { label }: OpenIdProvider, user_id: UserId, identity: Identity) => {
    // Another person may have signed in since, and must not get the identity of the first one.
    if (c.var.user?.user_id !== user_id) throw otherPerson()
    await linkIdentity(deps.libraryOf(user_id), identity)
    return goTo(c, account_path, `${label} is linked. You can sign in with it from now on.`)
  }

  return new Hono<Env>()
    .get('/login/oidc', async c => {
      const provider = requireProvider(deps)
      const next = safeNext(c.req.query('next'))
      if (c.var.user) return c.redirect(next, 303)
      const url = await orRefusal(beginAttempt(c, provider, authenticator, { next, user_id: null }))
      return url instanceof DomainError ? refuse(c, url, loginPath(next)) : c.redirect(url, 303)
    })

    .get('/login/oidc/callback', async c => {
      const provider = requireProvider(deps)
      const cookie = attemptCookie(c.req.query('state') ?? '')
      const attempt = await authenticator.secrets.spend(['oidc'], cookie.take(c) ?? '')
      const back = attempt?.user ? account_path : loginPath(safeNext(attempt?.opens.next))
      // A browser loads this address again when it restores its tabs or goes back.
      if (!attempt && c.var.user) return goTo(c, '/', `You are already signed in as ${c.var.user.username}.`)
      if (!attempt) return refuse(c, noAttempt(), back)
      const answer = await orRefusal(finish(c, provider, attempt))
      return answer instanceof DomainError ? refuse(c, answer, back) : answer
    })
}

type Shown = (
  c: Context<Env>,
  refusal: DomainError,
  errorsOf: () => Record<string, string>,
  link_errors: Record<string, string>,
) => Response | Promise<Response>

/** Links and unlinks identities, below `/settings`. `accountPage` shows the page again with a refusal. */
export function identityPages(deps: Deps, accountPage: Shown) {
  const again = (c: Context<Env>, refusal: DomainError) =>
    accountPage(c, refusal, () => ({}), errorsAt('current_password', refusal))

  return new Hono<Env>()
    .post('/identities', valid('form', LinkForm), async c => {
      const provider = requireProvider(deps)
      const user = userOf(c)
      const { current_password } = c.req.valid('form')
      const checking = requirePassword(deps.authenticator, user, 'current_password', current_password, c.var.client)
      const checked = await orRefusal(checking, ['invalid', 'too_many'])
      if (checked instanceof DomainError) return again(c, checked)
      const beginning = beginAttempt(c, provider, deps.authenticator, { next: '/', user_id: user.user_id })
      const url = await orRefusal(beginning)
      if (url instanceof DomainError) return again(c, url)
      return continueAt(c, provider, url, 'link')
    })

    .post('/identities/unlink', valid('form', UnlinkForm), async c => {
      const key = c.req.valid('form')
      const unlinked = await orRefusal(unlinkIdentity(c.var.library, key), ['conflict'])
      const said = unlinked instanceof DomainError ? unlinked : 'Unlinked. It no longer signs you in.'
      return goTo(c, account_path, said)
    })
}

/**
 * Sends the browser to the provider by a page, because browsers refuse a redirect of a form to another site (`form-action` of the content
 * security policy).
 */
export function continueAt(c: Context<Env>, { label }: OpenIdProvider, url: string, to: 'link' | 'sign out') {
  c.header('Refresh', `0; url=${url}`)
  return c.render(
    <ContinuePage page={{ ...pageOf(c), ...(to === 'sign out' && { user: null }) }} label={label} url={url} to={to} />,
  )
}

async function beginAttempt(
  c: Context<Env>,
  provider: OpenIdProvider,
  { secrets }: Authenticator,
  { next, user_id }: { next: string; user_id: UserId | null },
): Promise<string> {
  const { url, attempt } = await provider.begin(`${siteOf(c)}/login/oidc/callback`)
  const opens = { ...attempt, next }
  const { token } = await secrets.make({ kind: 'oidc', user_id, opens, lasts_s: attempt_lasts_s })
  keepNewest(c, attempt_name, max_attempts - 1)
  attemptCookie(attempt.state).write(c, token, attempt_lasts_s)
  return url
}

const loginPath = (next: string) => (next === '/' ? '/login' : `/login?next=${encodeURIComponent(next)}`)

function requireProvider({ provider }: Deps): OpenIdProvider {
  if (!provider) throw nothingHere()
  return provider
}

const noAttempt = () =>
  new DomainError('forbidden', 'This sign-in is too old, was used before, or began in another browser. Try again.')

const otherPerson = () =>
  new DomainError('forbidden', 'You are no longer signed in as the person who began to link. Try again.')
