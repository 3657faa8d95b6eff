/** The signed-in person's account, as JSON. */
import { Hono } from 'hono'
import { AccountSummary } from '../../schema/account/account.ts'
import { type Env, userOf } from '../http/context.ts'
import { ok, operation } from '../http/operation.ts'

export const accountApi = (quota_bytes: number | null) =>
  new Hono<Env>().get(
    '/account',
    operation(
      'Your username, your quota and the size of your files',
      ok(AccountSummary, 'Tokens are managed on the settings page only'),
    ),
    async c => {
      const { on_disk_bytes } = await c.var.library.videos.tally()
      return c.json({ username: userOf(c).username, quota_bytes, on_disk_bytes })
    },
  )
