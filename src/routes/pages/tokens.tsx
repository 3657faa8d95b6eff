/** The page on which somebody makes and revokes the tokens of their programs. A token itself is shown once, in the answer that makes it. */
import type { Context } from 'hono'
import { Hono } from 'hono'
import type { Tokens } from '../../db/accounts/tokens.ts'
import { createToken, revokeToken } from '../../domain/account/account.ts'
import { DomainError } from '../../errors.ts'
import { TokenForm } from '../../schema/account.ts'
import type { UserId } from '../../schema/user.ts'
import { TokensPage, type TokenValues } from '../../views/pages/tokens.tsx'
import type { Env } from '../middleware/context.ts'
import { setFlash } from '../middleware/flash.ts'
import { pageOf } from '../middleware/render.tsx'
import { valid } from '../middleware/valid.ts'

type Shown = { status: 200 | DomainError['status']; values: TokenValues; errors: Record<string, string> }

export function tokens(tokensOf: (user_id: UserId) => Tokens) {
  const own = (c: Context<Env>) => tokensOf(c.var.library.user_id)
  const page = async (c: Context<Env>, { status, ...form }: Shown) =>
    c.html(<TokensPage page={pageOf(c)} tokens={await own(c).list()} {...form} />, status)

  return new Hono<Env>()
    .get('/', c => page(c, { status: 200, values: none, errors: {} }))

    .post(
      '/',
      valid('form', TokenForm, (c, { fields, given }) =>
        page(c, { status: 422, values: valuesOf(given), errors: fields }),
      ),
      async c => {
        try {
          const { token, secret } = await createToken(own(c), c.req.valid('form'), new Date())
          const list = await own(c).list()
          const made = { token_id: token.token_id, secret }
          c.header('Cache-Control', 'no-store')
          return c.html(<TokensPage page={pageOf(c)} tokens={list} made={made} values={none} errors={{}} />, 201)
        } catch (fault) {
          if (!(fault instanceof DomainError) || fault.code !== 'conflict') throw fault
          return page(c, { status: 409, values: valuesOf(await c.req.parseBody()), errors: fault.fields })
        }
      },
    )

    .post('/:token_id/revoke', async c => {
      await revokeToken(own(c), c.req.param('token_id'))
      setFlash(c, { kind: 'done', text: 'Revoked. Whatever used it is shut out from now on.' })
      return c.redirect('/settings/tokens', 303)
    })
}

const none: TokenValues = { name: '', scope: 'read', expires_in_days: '90' }

/** What was typed, shown again. */
function valuesOf(given: Record<string, unknown>): TokenValues {
  const text = (name: keyof TokenValues) => {
    const value = given[name]
    return typeof value === 'string' ? value.slice(0, 200) : none[name]
  }
  return { name: text('name'), scope: text('scope'), expires_in_days: text('expires_in_days') }
}
