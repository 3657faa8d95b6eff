/** The public pages: create an account, sign in and out, choose the theme, and choose a new password by a link from the administrator. */
import { type Context, Hono } from 'hono'
import type { OpenIdProvider } from '../../auth/oidc.ts'
import type { Sessions } from '../../auth/sessions.ts'
import { resetPassword, userOfReset } from '../../domain/account/password-reset.ts'
import { type Authenticator, register, requireInvited, signIn } from '../../domain/account/sign-in.ts'
import { DomainError } from '../../errors.ts'
import { LoginForm, RegisterForm, ResetForm, ThemeForm } from '../../schema/account/account.ts'
import { LoginPage, RegisterPage, ResetPasswordPage } from '../../views/account/sign-in-page.tsx'
import { goTo } from '../http/answers.tsx'
import { type Env, siteOf } from '../http/context.ts'
import { theme_cookie } from '../http/cookies.ts'
import { pageOf } from '../http/page.ts'
import { pageBefore, safeNext } from '../http/redirects.ts'
import type { SessionCookies } from '../http/sign-in.ts'
import { errorAbove, type FormFields, formPage, orRefusal, textIn, valid } from '../http/valid.ts'
import { continueAt } from './oidc-page.tsx'

type Deps = {
  authenticator: Authenticator
  cookies: SessionCookies
  registration: 'open' | 'closed'
  provider?: OpenIdProvider | undefined
}

export const signInPages = ({ authenticator, cookies, registration, provider }: Deps) =>
  new Hono<Env>()
    .on('POST', ['/login', '/register', '/logout'], async (c, next) => {
      if (!c.var.by_proxy) return next()
      return goTo(c, '/', {
        kind: 'problem',
        text: 'The proxy of this service signs you in and out. Nothing was changed.',
      })
    })

    .get('/register', async c => {
      if (c.var.user) return c.redirect('/', 303)
      const invitation = c.req.query('invitation') ?? ''
      await requireInvited(authenticator, invitation, registration)
      return registerPage(authenticator)(c, undefined, { invitation })
    })

    .post('/register', valid('form', RegisterForm, registerPage(authenticator)), async c => {
      const form = c.req.valid('form')
      const registering = register(authenticator, form, registration, c.var.client)
      const account = await orRefusal(registering, ['conflict', 'invalid', 'too_many'])
      if (account instanceof DomainError) return registerPage(authenticator)(c, account, form)
      await cookies.begin(c, account, false)
      return goTo(c, '/', `Welcome, ${account.username}. Your account is ready.`)
    })

    .get('/login', async c => {
      const next = safeNext(c.req.query('next'))
      if (c.var.user) return c.redirect(next, 303)
      // Without any account, there is nothing to sign in to, and the first one can always be created.
      if (await isNew(authenticator)) return c.redirect('/register', 303)
      const was_in = c.req.query('was') === 'signed-in'
      return loginPage(c, { username: '', remember: true, next, was_in })
    })

    .post('/login', valid('form', LoginForm), async c => {
      const { username, password, remember, next } = c.req.valid('form')
      const values = { username, remember: remember !== undefined, next: safeNext(next) }
      const account = await orRefusal(signIn(authenticator, { username, password }, c.var.client), refusals)
      if (account instanceof DomainError) return loginPage(c, values, account)
      const is_in = account !== undefined && (await cookies.begin(c, account, values.remember))
      if (!is_in) return loginPage(c, values, wrongCredentials())
      return goTo(c, values.next, `Signed in as ${account.username}.`)
    })

    .post('/logout', async c => {
      const began_there = await cookies.end(c)
      const there = began_there ? await provider?.endSession(`${siteOf(c)}/login`) : undefined
      if (provider && there !== undefined) return continueAt(c, provider, there, 'sign out')
      return goTo(c, '/login', 'Signed out.')
    })

    .post('/theme', valid('form', ThemeForm), c => {
      const { theme } = c.req.valid('form')
      theme_cookie.write(c, theme)
      return c.redirect(pageBefore(c.req.header('referer'), c.var.here, '/'), 303)
    })

/** A locked person hears it at the form. */
const refusals: DomainError['code'][] = ['too_many', 'forbidden']

const isNew = async ({ accounts }: Authenticator) => !(await accounts.any())

const registerPage =
  (authenticator: Authenticator) =>
  async (c: Context<Env>, refusal?: DomainError, fields: FormFields = {}) => {
    const is_first = await isNew(authenticator)
    const values = {
      username: textIn(fields.username).slice(0, 200),
      invitation: textIn(fields.invitation).slice(0, 200),
    }
    const errors = refusal?.fields ?? {}
    const error = errorAbove(refusal)
    const provider = is_first ? c.var.provider_label : undefined
    const props = { page: pageOf(c), values, is_first, provider, errors, error }
    return formPage(c, <RegisterPage {...props} />, refusal)
  }

/** What the login page shows again. */
type LoginValues = { username: string; remember: boolean; next: string; was_in?: boolean }

export const loginPage = (c: Context<Env>, values: LoginValues, refusal?: DomainError) => {
  const { unlinked: { sentence: unlinked } = {}, provider_label: provider } = c.var
  return formPage(
    c,
    <LoginPage page={pageOf(c)} values={values} unlinked={unlinked} provider={provider} error={errorAbove(refusal)} />,
    refusal,
  )
}

const wrongCredentials = () => new DomainError('signed_out', 'Wrong username or password.')

type ResetDeps = { authenticator: Authenticator; sessions: Sessions }

/** The token of the link is in the query, which is never logged. */
export function resetPasswordPages({ authenticator, sessions }: ResetDeps) {
  const resetPage = async (c: Context<Env>, refusal: DomainError | undefined, fields: FormFields) => {
    const token = String(fields.token ?? '')
    const { username } = await userOfReset(authenticator, token)
    const errors = refusal?.fields ?? {}
    const page = (
      <ResetPasswordPage
        page={pageOf(c)}
        username={username}
        token={token}
        errors={errors}
        error={errorAbove(refusal)}
      />
    )
    return formPage(c, page, refusal)
  }

  return new Hono<Env>()
    .get('/reset-password', c => resetPage(c, undefined, { token: c.req.query('token') }))

    .post('/reset-password', valid('form', ResetForm, resetPage), async c => {
      const form = c.req.valid('form')
      const resetting = resetPassword(authenticator, sessions, form, c.var.client)
      const user = await orRefusal(resetting, ['invalid', 'too_many'])
      if (user instanceof DomainError) return resetPage(c, user, form)
      return goTo(c, '/login', `Password of ${user.username} changed. Sign in with the new one.`)
    })
}
