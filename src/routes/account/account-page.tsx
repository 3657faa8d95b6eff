/** The settings of one's own account: password, signed-in devices, deletion. For people only; API tokens don't open it. */
import type { Context } from 'hono'
import { Hono } from 'hono'
import type { Sessions } from '../../auth/sessions.ts'
import type { OwnPasskeys } from '../../db/account/passkeys.ts'
import { changePassword, deleteAccount, hasPassword, holdingsOf } from '../../domain/account/account.ts'
import type { Authenticator } from '../../domain/account/sign-in.ts'
import { DomainError } from '../../errors.ts'
import { DeleteForm, EndSessionsForm, PasswordForm } from '../../schema/account/account.ts'
import type { UserId } from '../../schema/values/user.ts'
import type { Files } from '../../store/files.ts'
import { AccountPage, DeletePage } from '../../views/account/account-page.tsx'
import { setFlash } from '../http/answers.tsx'
import { type Env, userOf } from '../http/context.ts'
import { pageOf } from '../http/page.ts'
import type { SessionCookies } from '../http/sign-in.ts'
import { errorsAt, formPage, orRefusal, valid } from '../http/valid.ts'

type Deps = {
  authenticator: Authenticator
  cookies: SessionCookies
  sessions: Sessions
  files: Files
  passkeysOf: (user_id: UserId) => OwnPasskeys
}

export function accountPages({ authenticator, cookies, sessions, files, passkeysOf }: Deps) {
  const accountPage = async (c: Context<Env>, refusal?: DomainError) => {
    const user = userOf(c)
    const [list, passkeys, has_password] = await Promise.all([
      sessions.list(user.user_id),
      passkeysOf(user.user_id).list(),
      hasPassword(authenticator, user),
    ])
    const here = c.var.session?.session_id
    const errors = errorsAt(has_password ? 'current_password' : 'password', refusal)
    const page = <AccountPage page={pageOf(c)} {...{ has_password, passkeys, here, errors }} sessions={list} />
    return formPage(c, page, refusal)
  }
  const deletePage = async (c: Context<Env>, refusal?: DomainError) => {
    const [holdings, has_password] = await Promise.all([
      holdingsOf(c.var.library),
      hasPassword(authenticator, userOf(c)),
    ])
    const errors = errorsAt('password', refusal)
    return formPage(c, <DeletePage page={pageOf(c)} {...{ has_password, holdings, errors }} />, refusal)
  }
  const signOut = async (c: Context<Env>, text: string) => {
    await cookies.end(c)
    setFlash(c, { kind: 'done', text })
    return c.redirect('/login', 303)
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
      setFlash(c, {
        kind: 'done',
        text: `Password ${had_password ? 'changed' : 'set'}. Your other devices are signed out.`,
      })
      return c.redirect('/settings/account', 303)
    })

    .post('/sessions/end', valid('form', EndSessionsForm), async c => {
      const others = c.req.valid('form').others !== undefined
      await sessions.endAll(userOf(c).user_id, others ? c.var.session?.session_id : undefined)
      if (!others) return signOut(c, 'Signed out everywhere.')
      setFlash(c, { kind: 'done', text: 'Signed out on all other devices.' })
      return c.redirect('/settings/account', 303)
    })

    .post('/sessions/:session_id/end', async c => {
      const session_id = c.req.param('session_id')
      if (!(await sessions.endOne(userOf(c).user_id, session_id)))
        throw new DomainError('not_found', 'This device is not signed in.')
      if (session_id === c.var.session?.session_id) return signOut(c, 'Signed out.')
      setFlash(c, { kind: 'done', text: 'Signed out on that device.' })
      return c.redirect('/settings/account', 303)
    })

    .get('/delete', c => deletePage(c))

    .post('/delete', valid('form', DeleteForm), async c => {
      const deleting = deleteAccount(authenticator, files, userOf(c), c.req.valid('form'), c.var.client)
      const deleted = await orRefusal(deleting, ['invalid', 'too_many'])
      if (deleted instanceof DomainError) return deletePage(c, deleted)
      return signOut(c, 'Your account and everything in it is deleted.')
    })
}
