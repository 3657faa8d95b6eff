/** Programs that bring a token in the `Authorization` header: who they are, and what they may. */
import { createMiddleware } from 'hono/factory'
import type { TokenGate } from '../../db/accounts/tokens.ts'
import { holderOf } from '../../domain/account/account.ts'
import type { Scope } from '../../schema/account.ts'
import { docs_path, type Env } from './context.ts'
import type { CountStranger } from './limits.ts'

/** Where a token counts: the API, and the files. Pages are for people, the one that makes tokens most of all. */
const open_to_tokens = /^\/(api|stream|download)\//
const safe = ['GET', 'HEAD', 'OPTIONS']

/** To have this server ask another one is more than to read what is here. */
const needed = (method: string, path: string): Scope =>
  safe.includes(method) && path !== '/api/discover' ? 'read' : 'write'

/** Sets `user` and `by_token`. Whoever brings a token that does not count is refused, whatever cookie comes with it. */
export const bearer = (gate: TokenGate, countStranger: CountStranger) =>
  createMiddleware<Env>(async (c, next) => {
    const token = tokenIn(c.req.header('authorization'))
    if (token !== undefined && open_to_tokens.test(c.req.path) && c.req.path !== docs_path) {
      c.set('by_token', true)
      const { user } = await holderOf(gate, token, needed(c.req.method, c.req.path)).catch(async (refusal: unknown) => {
        // Whoever is refused here never comes to where the others are counted.
        await countStranger(c.var.client)
        throw refusal
      })
      c.set('user', user)
      c.set('session', null)
    }
    await next()
  })

/** Other schemes, a proxy's own password for instance, are none of our business. */
const tokenIn = (header = ''): string | undefined =>
  /^bearer(?=\s|$)/i.test(header) ? header.slice('bearer'.length).trim() : undefined
