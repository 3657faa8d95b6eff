/** One's own account: what it holds as JSON, and its settings, for people only: password, signed-in devices, deletion. */
import { type Context, Hono } from 'hono'
import type { Sessions } from '../../auth/sessions.ts'
import { changePassword, deleteAccount, hasPassword, holdingsOf } from '../../domain/account/account.ts'
import { linkProxyName } from '../../domain/account/proxy-people.ts'
import type { Authenticator } from '../../domain/account/sign-in.ts'
import { DomainError } from '../../errors.ts'
import { AccountSummary, DeleteForm, EndSessionsForm, PasswordForm } from '../../schema/account/account.ts'
import { LinkForm } from '../../schema/account/identity.ts'
import type { Files } from '../../store/files.ts'
import { AccountPage, DeletePage } from '../../views/account/account-page.tsx'
import { ErrorPage } from '../../views/frames/layout.tsx'
import { goTo } from '../http/answers.tsx'
import { type Env, userOf } from '../http/context.ts'
import { ok, operation } from '../http/operation.ts'
import { pageOf } from '../http/page.ts'
import type { SessionCookies } from '../http/sign-in.ts'
import { errorsAt, formPage, orRefusal, valid } from '../http/valid.ts'

export const accountApi = (service_bytes: number) =>
  new Hono<Env>().get(
    '/account',
    operation(
      'Your username, your quota and the size of your files',
      ok(AccountSummary, 'Tokens are managed on the settings page only'),
    ),
    async c => {
      const { videos, space } = c.var.library
      const [{ on_disk_bytes }, quota_bytes] = await Promise.all([videos.tally(), space.quota(service_bytes)])
      return c.json({ username: userOf(c).username, quota_bytes, on_disk_bytes })
    },
  )

type Deps = {
  authenticator: Authenticator
  cookies: SessionCookies
  sessions: Sessions
  files: Files
}

/**
 * Shows the account again after a refusal. `errorsOf` gives the sentences of the form of the password; `link_errors`: of the form that
 * links an identity.
 */
export const accountPageOf =
  ({ authenticator, sessions }: Omit<Deps, 'cookies' | 'files'>) =>
  async (
    c: Context<Env>,
    refusal: DomainError | undefined,
    errorsOf: (has_password: boolean) => Record<string, string>,
    link_errors: Record<string, string> = {},
  ) => {
    const user = userOf(c)
    const { library } = c.var
    const [list, passkeys, identities, has_password] = await Promise.all([
      sessions.list(user.user_id),
      library.passkeys.list(),
      library.identities.list(),
      hasPassword(authenticator, user),
    ])
    const here = c.var.session?.session_id
    const { unlinked, provider_label: provider } = c.var
    const ways = { passkeys, identities, has_password, provider, proxy_name: unlinked?.identity.name }
    const errors = { errors: errorsOf(has_password), link_errors }
    return formPage(c, <AccountPage page={pageOf(c)} {...ways} {...errors} here={here} sessions={list} />, refusal)
  }

export function accountPages(deps: Deps) {
  const { authenticator, cookies, sessions, files } = deps
  const pageWith = accountPageOf(deps)
  const accountPage = (c: Context<Env>, refusal?: DomainError) =>
    pageWith(c, refusal, has_password => errorsAt(has_password ? 'current_password' : 'password', refusal))
  const deletePage = async (c: Context<Env>, refusal?: DomainError) => {
    const [holdings, has_password] = await Promise.all([
      holdingsOf(c.var.library),
      hasPassword(authenticator, userOf(c)),
    ])
    const errors = errorsAt('password', refusal)
    return formPage(
      c,
      <DeletePage page={pageOf(c)} has_password={has_password} holdings={holdings} errors={errors} />,
      refusal,
    )
  }
  const signOut = async (c: Context<Env>, text: string) => {
    await cookies.end(c)
    return goTo(c, '/login', text)
  }

  /** Another page would create a new account at once, because the proxy signs the person in. */
  const deletedPage = (c: Context<Env>) => {
    c.set('user', null)
    const detail =
      'Your account and everything in it is deleted. The proxy still signs you in: open Backlot to begin anew.'
    return c.render(<ErrorPage page={pageOf(c)} title="Account deleted" detail={detail} />)
  }

  return new Hono<Env>()
    .get('/account', c => accountPage(c))

    .post('/password', valid('form', PasswordForm, accountPage), async c => {
      const form = c.req.valid('form')
      const had_password = await hasPassword(authenticator, userOf(c))
      const changing = changePassword(authenticator, sessions, userOf(c), form, c.var.client)
      const changed = await orRefusal(changing, ['invalid', 'too_many'])
      if (changed instanceof DomainError) return accountPage(c, changed)
      await cookies.begin(c, changed, c.var.session?.remembered ?? false)
      return goTo(
        c,
        '/settings/account',
        `Password ${had_password ? 'changed' : 'set'}. Your other devices are signed out.`,
      )
    })

    .post('/proxy-name', valid('form', LinkForm), async c => {
      const { unlinked, library, client } = c.var
      if (!unlinked) throw new DomainError('not_found', 'The proxy of this service sends no name that can be linked.')
      const { current_password } = c.req.valid('form')
      const linking = linkProxyName(authenticator, library, userOf(c), unlinked, current_password, client)
      const refusal = await orRefusal(linking, ['invalid', 'too_many', 'conflict'])
      if (refusal) return pageWith(c, refusal, () => ({ proxy_name: refusal.message }))
      return goTo(c, '/settings/account', `Linked ${unlinked.identity.name}. The proxy signs you in from now on.`)
    })

    .post('/sessions/end', valid('form', EndSessionsForm), async c => {
      // The proxy signs this browser in, so only the other devices can be signed out.
      const others = c.var.by_proxy || c.req.valid('form').others !== undefined
      await sessions.endAll(userOf(c).user_id, others ? c.var.session?.session_id : undefined)
      if (!others) return signOut(c, 'Signed out everywhere.')
      return goTo(c, '/settings/account', 'Signed out on all other devices.')
    })

    .post('/sessions/:session_id/end', async c => {
      const session_id = c.req.param('session_id')
      if (!(await sessions.endOne(userOf(c).user_id, session_id)))
        throw new DomainError('not_found', 'This device is not signed in.')
      if (session_id === c.var.session?.session_id) return signOut(c, 'Signed out.')
      return goTo(c, '/settings/account', 'Signed out on that device.')
    })

    .get('/delete', c => deletePage(c))

    .post('/delete', valid('form', DeleteForm), async c => {
      const deleting = deleteAccount(authenticator, files, userOf(c), c.req.valid('form'), c.var.client)
      const deleted = await orRefusal(deleting, ['invalid', 'too_many', 'conflict'])
      if (deleted instanceof DomainError) return deletePage(c, deleted)
      return c.var.by_proxy ? deletedPage(c) : signOut(c, 'Your account and everything in it is deleted.')
    })
}
