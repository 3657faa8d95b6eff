/** Sets what every answer needs before anything can fail, so that an error page can be rendered at any point. */
import type { Context } from 'hono'
import type { Versions } from '../../views/ui/context.ts'
import type { Env } from './context.ts'

/** Until later middleware knows better, the request is signed out. */
export const defaults = (versions: Versions, bin_hours: number) => (c: Context<Env>) => {
  c.set('versions', versions)
  c.set('bin_hours', bin_hours)
  c.set('user', null)
  c.set('session', null)
  c.set('by_token', false)
  c.set('registration_open', false)
}
