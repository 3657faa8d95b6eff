/** Answers requests that no route takes: 405 when the address has other methods, else 404. */
import type { Context, Hono } from 'hono'
import { DomainError } from '../../errors.ts'
import type { Env } from './context.ts'

const methods = ['GET', 'POST', 'PUT', 'DELETE']

export const notFound = (app: Hono<Env>) => (c: Context<Env>) => {
  const allowed = methodsOf(app, c.req.path)
  if (allowed.length === 0 || allowed.includes(c.req.method))
    throw new DomainError('not_found', 'There is nothing at this address.')
  c.header('Allow', allowed.join(', '))
  throw new DomainError('method_not_allowed', `Only ${allowed.join(', ')} is possible here.`)
}

/** Empty when the address is unknown. Middleware is mounted for every method and does not count. */
function methodsOf(app: Hono<Env>, path: string): string[] {
  const known = methods.filter(method =>
    app.router.match(method, path)[0].some(([[, route]]) => route.method === method),
  )
  return known.flatMap(method => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
}
