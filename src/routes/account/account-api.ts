/** The signed-in person's account, as JSON. */
import { Hono } from 'hono'
import { AccountSummary } from '../../schema/account/account.ts'
import { type Env, userOf } from '../http/context.ts'
import { ok, operation } from '../http/operation.ts'

export const accountApi = (service_bytes: number) =>
  new Hono<Env>().get(
    '/account',
    operation(
      'Your username, your quota and the size of your files',
      ok(AccountSummary, 'Tokens are managed on the settings page only'),
    ),
    async c => {
      const { videos, space } = c.var.library
      const [{ on_disk_bytes }, quota_bytes] = await Promise.all([videos.tally(), space.quota(service_bytes)])
      return c.json({ username: userOf(c).username, quota_bytes, on_disk_bytes })
    },
  )
