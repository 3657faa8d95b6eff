/** The switches of bells on the pages of a channel and a group. */
import { Hono } from 'hono'
import { ringForChannel, ringForGroup } from '../../domain/notifications/bells.ts'
import { BellForm } from '../../schema/notifications/bell.ts'
import { isolated } from '../../schema/values/words.ts'
import { channelPath, groupPath } from '../../views/ui/paths.ts'
import { Saved } from '../../views/ui/settings-frame.tsx'
import { back } from '../http/answers.tsx'
import { type Env, isFragment } from '../http/context.ts'
import { valid } from '../http/valid.ts'

export const bellPages = new Hono<Env>()
  .post('/channels/:channel_id/bell', valid('form', BellForm), async c => {
    const channel_id = c.req.param('channel_id')
    const { bell } = c.req.valid('form')
    const title = await ringForChannel(c.var.library, channel_id, bell)
    return isFragment(c) ? c.html(<Saved />) : back(c, channelPath({ channel_id }), saidOf(title, bell))
  })

  .post('/groups/:group_id/bell', valid('form', BellForm), async c => {
    const group_id = c.req.param('group_id')
    const { bell } = c.req.valid('form')
    const name = await ringForGroup(c.var.library, group_id, bell)
    return isFragment(c) ? c.html(<Saved />) : back(c, groupPath({ group_id }), saidOf(name, bell))
  })

const saidOf = (name: string, bell: boolean) => ({
  kind: 'done' as const,
  text: `You are ${bell ? '' : 'no longer '}told of new videos of ${isolated(name)}.`,
})
