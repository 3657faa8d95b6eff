/** Signing in by a passkey, and the forms of the settings that add, rename and remove one. */
import { type Context, Hono } from 'hono'
import type { Site } from '../../auth/passkeys.ts'
import {
  addPasskey,
  beginPasskey,
  beginPasskeySignIn,
  notAdded,
  removePasskey,
  renamePasskey,
  signInByPasskey,
} from '../../domain/account/passkeys.ts'
import type { Authenticator } from '../../domain/account/sign-in.ts'
import { DomainError } from '../../errors.ts'
import {
  AssertionForm,
  NewCredentialForm,
  PasskeyForm,
  PasskeyNameForm,
  passkey_lasts_s,
} from '../../schema/account/passkey.ts'
import { goTo, type Said } from '../http/answers.tsx'
import { type Env, originOf, userOf } from '../http/context.ts'
import { hostCookie } from '../http/cookies.ts'
import { safeNext } from '../http/redirects.ts'
import type { SessionCookies } from '../http/sign-in.ts'
import { type FormFields, orRefusal, setRetryAfter, textIn, valid } from '../http/valid.ts'
import { loginPage } from './sign-in-page.tsx'

/** The secret of the attempt that this browser has begun. */
const cookie = hostCookie('passkey')

function passkeySiteOf(c: Context<Env>): Site {
  const origin = originOf(c)
  return { origin, host_name: new URL(origin).hostname }
}

export function passkeySignInPages(authenticator: Authenticator, cookies: SessionCookies) {
  const refusedPage = (c: Context<Env>, fields: FormFields, refusal = notAccepted()) =>
    loginPage(c, { username: '', remember: Boolean(fields.remember), next: safeNext(textIn(fields.next)) }, refusal)

  return new Hono<Env>()
    .post('/login/passkey/options', async c => {
      const { options, token } = await beginPasskeySignIn(authenticator, passkeySiteOf(c))
      cookie.write(c, token, passkey_lasts_s)
      return c.json(options)
    })

    .post(
      '/login/passkey',
      valid('form', AssertionForm, (c, _, fields) => refusedPage(c, fields)),
      async c => {
        const form = c.req.valid('form')
        const signing = signInByPasskey(
          authenticator,
          cookie.take(c) ?? '',
          form.credential,
          passkeySiteOf(c),
          c.var.client,
        )
        const account = await orRefusal(signing, ['forbidden', 'too_many'])
        if (account instanceof DomainError) return refusedPage(c, form, account)
        if (!account || !(await cookies.begin(c, account, Boolean(form.remember)))) return refusedPage(c, form)
        return goTo(c, safeNext(form.next), `Signed in as ${account.username}.`)
      },
    )
}

const notAccepted = () =>
  new DomainError('signed_out', 'This passkey was not accepted. Try again, or sign in with your password.')

export function passkeyPages(authenticator: Authenticator) {
  const done = (c: Context<Env>, said: Said) => goTo(c, '/settings/account', said)

  return new Hono<Env>()
    .post('/options', valid('form', PasskeyForm, fault), async c => {
      const beginning = beginPasskey(
        authenticator,
        c.var.library,
        userOf(c),
        c.req.valid('form'),
        passkeySiteOf(c),
        c.var.client,
      )
      const begun = await orRefusal(beginning)
      if (begun instanceof DomainError) return fault(c, begun)
      cookie.write(c, begun.token, passkey_lasts_s)
      return c.json(begun.options)
    })

    .post(
      '/',
      valid('form', NewCredentialForm, c => done(c, notAdded())),
      async c => {
        const { credential } = c.req.valid('form')
        const adding = addPasskey(authenticator, c.var.library, cookie.take(c) ?? '', credential, passkeySiteOf(c))
        const added = await orRefusal(adding, ['invalid', 'conflict'])
        return done(c, added instanceof DomainError ? added : `Passkey “${added.name}” added.`)
      },
    )

    .post('/:passkey_id/rename', valid('form', PasskeyNameForm), async c => {
      await renamePasskey(c.var.library, c.req.param('passkey_id'), c.req.valid('form').name)
      return done(c, 'Passkey renamed.')
    })

    .post('/:passkey_id/remove', async c => {
      await removePasskey(c.var.library, c.req.param('passkey_id'))
      return done(c, 'Passkey removed.')
    })
}

/** For the script, which shows the sentence. */
function fault(c: Context<Env>, refusal: DomainError) {
  setRetryAfter(c, refusal)
  const [sentence = refusal.message] = Object.values(refusal.fields)
  return c.json({ sentence }, refusal.status)
}
