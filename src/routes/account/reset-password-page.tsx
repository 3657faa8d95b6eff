/** Choosing a new password by a link from the administrator. The token is in the query, which is never logged. */
import { type Context, Hono } from 'hono'
import type { Sessions } from '../../auth/sessions.ts'
import type { PasswordResets } from '../../db/account/password-resets.ts'
import { resetPassword, userOfReset } from '../../domain/account/password-reset.ts'
import type { Authenticator } from '../../domain/account/sign-in.ts'
import { DomainError } from '../../errors.ts'
import { ResetForm } from '../../schema/account/account.ts'
import { ResetPasswordPage } from '../../views/account/sign-in-page.tsx'
import { setFlash } from '../http/answers.tsx'
import type { Env } from '../http/context.ts'
import { pageOf } from '../http/page.ts'
import { errorAbove, type FormFields, formPage, orRefusal, valid } from '../http/valid.ts'

type Deps = { authenticator: Authenticator; resets: PasswordResets; sessions: Sessions }

export function resetPasswordPages({ authenticator, resets, sessions }: Deps) {
  const resetPage = async (c: Context<Env>, refusal: DomainError | undefined, fields: FormFields) => {
    const token = String(fields.token ?? '')
    const { username } = await userOfReset(resets, token)
    const errors = refusal?.fields ?? {}
    const page = <ResetPasswordPage page={pageOf(c)} {...{ username, token, errors }} error={errorAbove(refusal)} />
    return formPage(c, page, refusal)
  }

  return new Hono<Env>()
    .get('/reset-password', c => resetPage(c, undefined, { token: c.req.query('token') }))

    .post('/reset-password', valid('form', ResetForm, resetPage), async c => {
      const form = c.req.valid('form')
      const resetting = resetPassword(authenticator, resets, sessions, form, c.var.client)
      const user = await orRefusal(resetting, ['invalid', 'too_many'])
      if (user instanceof DomainError) return resetPage(c, user, form)
      setFlash(c, { kind: 'done', text: `Password of ${user.username} changed. Sign in with the new one.` })
      return c.redirect('/login', 303)
    })
}
