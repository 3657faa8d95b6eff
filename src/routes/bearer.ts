/** Programs that bring a token in the `Authorization` header: who they are, and what they may. */
import { createMiddleware } from 'hono/factory'
import type { TokenGate } from '../db/tokens.ts'
import { holderOf } from '../domain/account.ts'
import type { Env } from './context.ts'

/** Where a token counts: the API, and the files. Pages are for people, the one that makes tokens most of all. */
const open_to_tokens = /^\/(api|stream|download)\//
const safe = ['GET', 'HEAD', 'OPTIONS']

/** Sets `user` and `by_token`. Whoever brings a token that does not count is refused, whatever cookie comes with it. */
export const bearer = (gate: TokenGate) =>
  createMiddleware<Env>(async (c, next) => {
    const token = tokenIn(c.req.header('authorization'))
    if (token !== undefined && open_to_tokens.test(c.req.path)) {
      c.set('by_token', true)
      const { user } = await holderOf(gate, token, !safe.includes(c.req.method))
      c.set('user', user)
      c.set('session', null)
    }
    await next()
  })

/** Other schemes, a proxy's own password for instance, are none of our business. */
const tokenIn = (header = ''): string | undefined =>
  /^bearer(?=\s|$)/i.test(header) ? header.slice('bearer'.length).trim() : undefined
