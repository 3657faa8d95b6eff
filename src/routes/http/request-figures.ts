/** Measures how long requests take until their answer begins, for `/metrics`. */
import { createMiddleware } from 'hono/factory'
import { histogram } from '../../runtime/measures.ts'
import type { Env } from './context.ts'

export type RequestFigures = ReturnType<typeof requestFigures>

/** Seconds. */
const bounds = [0.01, 0.05, 0.25, 1, 5]
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])

export function requestFigures() {
  const { record, all, le } = histogram<{ kind: string; method: string; status: string }>(bounds)
  return {
    /** Comes first. A request that is answered before its sender is known has no kind: probes, static files, calls of hubs. */
    measure: createMiddleware<Env>(async (c, next) => {
      const began = performance.now()
      await next()
      const { method } = c.req
      const labels = {
        kind: c.get('kind') ?? 'none',
        method: methods.has(method) ? method : 'other',
        status: `${Math.floor(c.res.status / 100)}xx`,
      }
      record(labels, (performance.now() - began) / 1000)
    }),
    all: () => ({ le, all: all() }),
  }
}
