/** Joins functions that look at every request, or change every answer, into one middleware, in the order in which they run. */
import type { Context, MiddlewareHandler } from 'hono'
import type { Env } from './context.ts'

/** Nothing: the request passes on. A `Response` answers it, and a throw refuses it. */
// biome-ignore lint/suspicious/noConfusingVoidType: most checks return nothing.
type Answer = Response | void
type Check = (c: Context<Env>) => Answer | Promise<Answer>

/** Runs `checks` in this order before everything that follows. */
export const before =
  (...checks: Check[]): MiddlewareHandler<Env> =>
  async (c, next) => {
    for (const check of checks) {
      const answer = await check(c)
      if (answer) return answer
    }
    await next()
  }

/** Runs `changes` in this order on the answer of everything that follows. */
export const after =
  (...changes: ((c: Context<Env>) => void | Promise<void>)[]): MiddlewareHandler<Env> =>
  async (c, next) => {
    await next()
    for (const change of changes) await change(c)
  }
