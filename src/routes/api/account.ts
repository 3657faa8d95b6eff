/** The account of the person signed in, as JSON. */
import { Hono } from 'hono'
import { type Env, userOf } from '../middleware/context.ts'

/** What the same account is to a program, which may have a token. */
export const apiAccount = (quota_bytes: number | null) =>
  new Hono<Env>().get('/account', async c => {
    const { on_disk_bytes } = await c.var.library.videos.tally()
    return c.json({ username: userOf(c).username, quota_bytes, on_disk_bytes })
  })
