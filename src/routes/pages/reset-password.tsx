/** Choosing a new password by a link from the person who runs the service. The token is in the query, which no log has. */
import type { Context } from 'hono'
import { Hono } from 'hono'
import type { Sessions } from '../../auth/sessions.ts'
import type { PasswordResets } from '../../db/accounts/password-resets.ts'
import { personOfReset, resetPassword } from '../../domain/account/password-reset.ts'
import type { Gate } from '../../domain/account/sign-in.ts'
import { DomainError } from '../../errors.ts'
import { ResetForm } from '../../schema/account.ts'
import { ResetPasswordPage } from '../../views/pages/reset-password.tsx'
import type { Env } from '../middleware/context.ts'
import { setFlash } from '../middleware/flash.ts'
import { pageOf } from '../middleware/render.tsx'
import { valid } from '../middleware/valid.ts'

type Deps = { gate: Gate; resets: PasswordResets; sessions: Sessions }
type Faults = { errors: Record<string, string>; error?: string | undefined; status: 200 | DomainError['status'] }

export function passwordReset({ gate, resets, sessions }: Deps) {
  const form = async (c: Context<Env>, token: string, { errors, error, status }: Faults) => {
    const { username } = await personOfReset(resets, token)
    const page = <ResetPasswordPage page={pageOf(c)} {...{ username, token, errors, error }} />
    return c.html(page, status)
  }
  const again = (
    c: Context<Env>,
    { fields, given }: { fields: Record<string, string>; given: Record<string, unknown> },
  ) => form(c, String(given.token ?? ''), { errors: fields, status: 422 })

  return new Hono<Env>()
    .get('/reset-password', c => form(c, c.req.query('token') ?? '', { errors: {}, status: 200 }))

    .post('/reset-password', valid('form', ResetForm, again), async c => {
      const reset = c.req.valid('form')
      try {
        const { username } = await resetPassword(gate, resets, sessions, reset, c.var.client)
        setFlash(c, {
          kind: 'done',
          text: `The password of ${username} is changed. Sign in with the new one.`,
        })
        return c.redirect('/login', 303)
      } catch (fault) {
        if (!(fault instanceof DomainError) || !['invalid', 'too_many'].includes(fault.code)) throw fault
        if (fault.retry_after_s !== undefined) c.header('Retry-After', String(fault.retry_after_s))
        const error = fault.code === 'too_many' ? fault.message : undefined
        return form(c, reset.token, { errors: fault.fields, error, status: fault.status })
      }
    })
}
