/** The page that creates and revokes API tokens. The secret of a token is shown once, in the answer that creates it. */
import { type Context, Hono } from 'hono'
import type { Tokens } from '../../db/account/tokens.ts'
import { createToken, revokeToken } from '../../domain/account/tokens.ts'
import { DomainError } from '../../errors.ts'
import { currentTime } from '../../runtime/clock.ts'
import { TokenForm } from '../../schema/account/account.ts'
import type { UserId } from '../../schema/values/user.ts'
import { TokensPage, type TokenValues } from '../../views/account/tokens-page.tsx'
import { goTo } from '../http/answers.tsx'
import type { Env } from '../http/context.ts'
import { pageOf } from '../http/page.ts'
import { type FormFields, formPage, orRefusal, textIn, valid } from '../http/valid.ts'

export function tokenPages(tokensOf: (user_id: UserId) => Tokens) {
  const own = (c: Context<Env>) => tokensOf(c.var.library.user_id)
  const tokensPage = async (c: Context<Env>, refusal?: DomainError, fields: FormFields = {}) => {
    const form = { values: valuesOf(fields), errors: refusal?.fields ?? {} }
    return formPage(c, <TokensPage page={pageOf(c)} tokens={await own(c).list()} {...form} />, refusal)
  }

  return new Hono<Env>()
    .get('/', c => tokensPage(c))

    .post('/', valid('form', TokenForm, tokensPage), async c => {
      const result = await orRefusal(createToken(own(c), c.req.valid('form'), currentTime()), ['conflict', 'invalid'])
      if (result instanceof DomainError) return tokensPage(c, result, await c.req.parseBody())
      const list = await own(c).list()
      const created = { token_id: result.token.token_id, secret: result.secret }
      c.header('Cache-Control', 'no-store')
      return c.render(<TokensPage page={pageOf(c)} tokens={list} created={created} values={empty} errors={{}} />, 201)
    })

    .post('/:token_id/revoke', async c => {
      await revokeToken(own(c), c.req.param('token_id'))
      return goTo(c, '/settings/tokens', 'Token revoked. Apps using it stop working.')
    })
}

const empty: TokenValues = { name: '', scope: 'read', expires_in_days: '90' }

/** The fields as they were typed, to be shown again. */
function valuesOf(fields: FormFields): TokenValues {
  const text = (name: keyof TokenValues) => textIn(fields[name], empty[name]).slice(0, 200)
  return { name: text('name'), scope: text('scope'), expires_in_days: text('expires_in_days') }
}
