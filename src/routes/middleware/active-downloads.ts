/** Counts the downloads that run or wait, which every page shows in its navigation. Other answers do not need the count. */
import type { Context } from 'hono'
import { type Env, isFragment, wantsJson } from './context.ts'

export const countActive = (c: Context<Env>): Promise<void> | undefined => {
  const is_page = c.req.method === 'GET' && /\btext\/html\b/.test(c.req.header('accept') ?? '')
  if (!is_page || isFragment(c) || wantsJson(c)) return undefined
  return c
    .get('library')
    .videos.active()
    .then(active => c.set('active_downloads', active))
}
