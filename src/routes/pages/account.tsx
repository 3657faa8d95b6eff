/** The account somebody is signed in to: its password, where it is signed in, and its end. For people alone: no token leads here. */
import type { Context } from 'hono'
import { Hono } from 'hono'
import type { Sessions } from '../../auth/sessions.ts'
import { changePassword, deleteAccount, holdingsOf } from '../../domain/account/account.ts'
import type { Gate } from '../../domain/account/sign-in.ts'
import type { Files } from '../../domain/downloads/files.ts'
import { DomainError } from '../../errors.ts'
import { DeleteForm, EndSessionsForm, PasswordForm } from '../../schema/account.ts'
import { AccountPage, DeletePage } from '../../views/pages/account.tsx'
import { type Env, userOf } from '../middleware/context.ts'
import { setFlash } from '../middleware/flash.ts'
import { pageOf } from '../middleware/render.tsx'
import type { SessionCookies } from '../middleware/session.ts'
import { valid } from '../middleware/valid.ts'

type Deps = { gate: Gate; session: SessionCookies; sessions: Sessions; files: Files }
type Faults = { fields: Record<string, string>; status: 200 | DomainError['status'] }

export function account({ gate, session, sessions, files }: Deps) {
  const accountPage = async (c: Context<Env>, { fields, status }: Faults) => {
    const list = await sessions.list(userOf(c).user_id)
    const here = c.var.session?.session_id
    return c.html(<AccountPage page={pageOf(c)} sessions={list} here={here} errors={fields} />, status)
  }
  const deletePage = async (c: Context<Env>, { fields, status }: Faults) => {
    const holdings = await holdingsOf(c.var.library)
    return c.html(<DeletePage page={pageOf(c)} holdings={holdings} errors={fields} />, status)
  }
  const out = async (c: Context<Env>, text: string) => {
    await session.end(c)
    setFlash(c, { kind: 'done', text })
    return c.redirect('/login', 303)
  }
  const passwordAgain = (c: Context<Env>, { fields }: Pick<Faults, 'fields'>) => accountPage(c, { fields, status: 422 })

  return new Hono<Env>()
    .get('/account', c => accountPage(c, fine))

    .post('/password', valid('form', PasswordForm, passwordAgain), async c => {
      try {
        const account = await changePassword(gate, sessions, userOf(c), c.req.valid('form'), c.var.client)
        await session.begin(c, account, c.var.session?.remembered ?? false)
      } catch (fault) {
        return accountPage(c, faultsOf(c, fault, 'current_password'))
      }
      setFlash(c, { kind: 'done', text: 'Your password is changed. You are signed out everywhere else.' })
      return c.redirect('/settings/account', 303)
    })

    .post('/sessions/end', valid('form', EndSessionsForm), async c => {
      const others = c.req.valid('form').others !== undefined
      await sessions.endAll(userOf(c).user_id, others ? c.var.session?.session_id : undefined)
      if (!others) return out(c, 'Signed out everywhere.')
      setFlash(c, { kind: 'done', text: 'Signed out everywhere else.' })
      return c.redirect('/settings/account', 303)
    })

    .post('/sessions/:session_id/end', async c => {
      const session_id = c.req.param('session_id')
      if (!(await sessions.endOne(userOf(c).user_id, session_id)))
        throw new DomainError('not_found', 'You are not signed in there.')
      if (session_id === c.var.session?.session_id) return out(c, 'Signed out.')
      setFlash(c, { kind: 'done', text: 'Signed out there.' })
      return c.redirect('/settings/account', 303)
    })

    .get('/delete', c => deletePage(c, fine))

    .post('/delete', valid('form', DeleteForm), async c => {
      const { password } = c.req.valid('form')
      try {
        await deleteAccount(gate, files, userOf(c), password, c.var.client)
      } catch (fault) {
        return deletePage(c, faultsOf(c, fault, 'password'))
      }
      return out(c, 'Your account is gone, with everything in it.')
    })
}

const fine: Faults = { fields: {}, status: 200 }

/** What the form is shown again with; too many tries are said beside `field`. Anything else is passed on. */
function faultsOf(c: Context<Env>, fault: unknown, field: string): Faults {
  if (!(fault instanceof DomainError) || !['invalid', 'too_many'].includes(fault.code)) throw fault
  if (fault.retry_after_s !== undefined) c.header('Retry-After', String(fault.retry_after_s))
  return { fields: fault.code === 'invalid' ? fault.fields : { [field]: fault.message }, status: fault.status }
}
