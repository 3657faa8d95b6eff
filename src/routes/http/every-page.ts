/**
 * Reads what every page shows or says of its person: how many downloads run or wait, and whether single keys do something. Other answers
 * do not need it.
 */
import type { Context } from 'hono'
import { type Env, isFragment, wantsJson } from './context.ts'

export const readForEveryPage = async (c: Context<Env>): Promise<void> => {
  const is_page = /\btext\/html\b/.test(c.req.header('accept') ?? '')
  if (!is_page || isFragment(c) || wantsJson(c)) return
  const { videos, settings } = c.get('library')
  const [active, { keyboard_shortcuts }] = await Promise.all([videos.active(), settings.get()])
  c.set('active_downloads', active)
  c.set('keyboard_shortcuts', keyboard_shortcuts)
}
