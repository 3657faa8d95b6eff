/** Making an account, signing in and out, and the theme. The public pages. */
import type { Context } from 'hono'
import { Hono } from 'hono'
import { setCookie } from 'hono/cookie'
import { closed, type Gate, register, signIn } from '../../domain/account/sign-in.ts'
import { DomainError } from '../../errors.ts'
import { LoginForm, RegisterForm, ThemeForm } from '../../schema/forms.ts'
import { LoginPage, RegisterPage } from '../../views/pages/sign-in.tsx'
import { type Env, isHttps } from '../middleware/context.ts'
import { setFlash } from '../middleware/flash.ts'
import { pageBefore, safeNext } from '../middleware/next.ts'
import { pageOf, theme_cookie } from '../middleware/render.tsx'
import type { SessionCookies } from '../middleware/session.ts'
import { valid } from '../middleware/valid.ts'

type Deps = { gate: Gate; session: SessionCookies; registration: 'open' | 'closed' }

export const accounts = ({ gate, session, registration }: Deps) =>
  new Hono<Env>()
    .get('/register', c => {
      if (c.var.user) return c.redirect('/', 303)
      if (!c.var.registration_open) throw closed()
      return c.html(<RegisterPage page={pageOf(c)} values={{ username: '' }} errors={{}} />)
    })

    .post('/register', valid('form', RegisterForm, registerAgain), async c => {
      const form = c.req.valid('form')
      try {
        const account = await register(gate, form, registration, c.var.client)
        await session.begin(c, account, false)
        setFlash(c, { kind: 'done', text: `Welcome, ${account.username}. Your account is ready.` })
        return c.redirect('/', 303)
      } catch (fault) {
        if (!(fault instanceof DomainError) || !['conflict', 'invalid', 'too_many'].includes(fault.code)) throw fault
        const error = fault.code === 'too_many' ? fault.message : undefined
        if (fault.retry_after_s !== undefined) c.header('Retry-After', String(fault.retry_after_s))
        const page = <RegisterPage page={pageOf(c)} values={form} errors={fault.fields} error={error} />
        return c.html(page, fault.status)
      }
    })

    .get('/login', c => {
      const next = safeNext(c.req.query('next'))
      if (c.var.user) return c.redirect(next, 303)
      const values = { username: '', remember: false, next }
      return c.html(<LoginPage page={pageOf(c)} values={values} errors={{}} />)
    })

    .post('/login', valid('form', LoginForm), async c => {
      const { username, password, remember, next } = c.req.valid('form')
      const values = { username, remember: remember !== undefined, next: safeNext(next) }
      const again = (status: 401 | 429, error: string) =>
        c.html(<LoginPage page={pageOf(c)} values={values} errors={{}} error={error} />, status)
      try {
        const account = await signIn(gate, { username, password }, c.var.client)
        const is_in = account !== undefined && (await session.begin(c, account, values.remember))
        if (!is_in) return again(401, 'The name or the password is wrong.')
        setFlash(c, { kind: 'done', text: `Signed in as ${account.username}.` })
        return c.redirect(values.next, 303)
      } catch (fault) {
        if (!(fault instanceof DomainError) || fault.code !== 'too_many') throw fault
        c.header('Retry-After', String(fault.retry_after_s))
        return again(429, fault.message)
      }
    })

    .post('/logout', async c => {
      await session.end(c)
      setFlash(c, { kind: 'done', text: 'Signed out.' })
      return c.redirect('/login', 303)
    })

    .post('/theme', valid('form', ThemeForm), c => {
      const { theme } = c.req.valid('form')
      setCookie(c, theme_cookie, theme, { ...theme_lasts, secure: isHttps(c) })
      return c.redirect(pageBefore(c.req.header('referer'), c.var.here, '/'), 303)
    })

const theme_lasts = { path: '/', httpOnly: true, sameSite: 'Lax', maxAge: 400 * 24 * 3600 } as const

const registerAgain = (
  c: Context<Env>,
  { fields, given }: { fields: Record<string, string>; given: Record<string, unknown> },
) => {
  const username = typeof given.username === 'string' ? given.username.slice(0, 200) : ''
  return c.html(<RegisterPage page={pageOf(c)} values={{ username }} errors={fields} />, 422)
}
