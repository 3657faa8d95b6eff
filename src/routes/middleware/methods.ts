/** Which methods an address knows, for the answer to one it does not. */
import type { Hono } from 'hono'
import type { Env } from './context.ts'

const methods = ['GET', 'POST', 'PUT', 'DELETE']

/** Empty: the address is unknown altogether. Middleware, mounted for every method, does not count. */
export function otherMethods(app: Hono<Env>, path: string): string[] {
  const known = methods.filter(method =>
    app.router.match(method, path)[0].some(([[, route]]) => route.method === method),
  )
  return known.flatMap(method => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
}
