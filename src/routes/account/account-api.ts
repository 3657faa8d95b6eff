/** The signed-in person's account, as JSON. */
import { Hono } from 'hono'
import { AccountSummary } from '../../schema/account/account.ts'
import { type Env, userOf } from '../http/context.ts'
import { describeRoute } from '../http/operation.ts'

export const account = (quota_bytes: number | null) =>
  new Hono<Env>().get(
    '/account',
    describeRoute({
      summary: 'Your username, your quota and the size of your files',
      responses: { 200: { description: 'Tokens are managed on the settings page only', schema: AccountSummary } },
    }),
    async c => {
      const { on_disk_bytes } = await c.var.library.videos.tally()
      return c.json({ username: userOf(c).username, quota_bytes, on_disk_bytes })
    },
  )
