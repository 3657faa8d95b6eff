/** The page that creates and revokes API tokens. The secret of a token is shown once, in the answer that creates it. */
import { type Context, Hono } from 'hono'
import { createToken, revokeToken } from '../../domain/account/tokens.ts'
import { DomainError } from '../../errors.ts'
import { TokenForm } from '../../schema/account/account.ts'
import { TokensPage, type TokenValues } from '../../views/account/tokens-page.tsx'
import { goTo } from '../http/answers.tsx'
import type { Env } from '../http/context.ts'
import { pageOf } from '../http/page.ts'
import { type FormFields, formPage, orRefusal, textIn, valid } from '../http/valid.ts'

const tokensPage = async (c: Context<Env>, refusal?: DomainError, fields: FormFields = {}) => {
  const form = { values: valuesOf(fields), errors: refusal?.fields ?? {} }
  const tokens = await c.var.library.secrets.tokens()
  return formPage(c, <TokensPage page={pageOf(c)} tokens={tokens} {...form} />, refusal)
}

export const tokenPages = new Hono<Env>()
  .get('/', c => tokensPage(c))

  .post('/', valid('form', TokenForm, tokensPage), async c => {
    const { library } = c.var
    const created = await orRefusal(createToken(library, c.req.valid('form')), ['conflict', 'invalid'])
    if (created instanceof DomainError) return tokensPage(c, created, await c.req.parseBody())
    const tokens = await library.secrets.tokens()
    c.header('Cache-Control', 'no-store')
    return c.render(<TokensPage page={pageOf(c)} tokens={tokens} created={created} values={empty} errors={{}} />, 201)
  })

  .post('/:token_id/revoke', async c => {
    await revokeToken(c.var.library, c.req.param('token_id'))
    return goTo(c, '/settings/tokens', 'Token revoked. Apps using it stop working.')
  })

const empty: TokenValues = { name: '', scope: 'read', expires_in_days: '90' }

/** The fields as they were typed, to be shown again. */
function valuesOf(fields: FormFields): TokenValues {
  const text = (name: keyof TokenValues) => textIn(fields[name], empty[name]).slice(0, 200)
  return { name: text('name'), scope: text('scope'), expires_in_days: text('expires_in_days') }
}
