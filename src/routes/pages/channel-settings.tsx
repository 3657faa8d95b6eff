/** The page on which a person says what a channel fetches without a click; the same as JSON stands in `api.ts`. */
import type { Context } from 'hono'
import { Hono } from 'hono'
import { getChannel } from '../../domain/channels/channels.ts'
import { changeRule, getRule } from '../../domain/channels/rules.ts'
import { fieldsOf, RuleFields, RuleForm } from '../../schema/rule.ts'
import { ChannelSettingsPage } from '../../views/pages/channel-settings.tsx'
import { channelPath } from '../../views/parts/words.ts'
import type { Env } from '../middleware/context.ts'
import { setFlash } from '../middleware/flash.ts'
import { pageOf } from '../middleware/render.tsx'
import { valid } from '../middleware/valid.ts'

export const channelSettings = new Hono<Env>()
  .get('/:channel_id/settings', async c => {
    const channel_id = c.req.param('channel_id')
    return settingsPage(c, channel_id, fieldsOf(await getRule(c.var.library, channel_id)))
  })

  .post('/:channel_id/settings', valid('form', RuleForm, askAgain), async c => {
    const channel_id = c.req.param('channel_id')
    const { auto_download } = await changeRule(c.var.library, channel_id, c.req.valid('form'))
    const text = auto_download ? 'New videos download by themselves from now on.' : 'New videos wait for your click.'
    setFlash(c, { kind: 'done', text })
    return c.redirect(channelPath({ channel_id }), 303)
  })

async function settingsPage(
  c: Context<Env>,
  channel_id: string,
  values: RuleFields,
  errors: Record<string, string> = {},
): Promise<Response> {
  const channel = await getChannel(c.var.library, channel_id)
  const usual = (await c.var.library.settings.get()).quality
  const page = <ChannelSettingsPage page={pageOf(c)} channel={channel} usual={usual} values={values} errors={errors} />
  return c.html(page, Object.keys(errors).length > 0 ? 422 : 200)
}

function askAgain(
  c: Context<Env>,
  { fields, given }: { fields: Record<string, string>; given: Record<string, unknown> },
): Promise<Response> {
  // What is not text at all, such as a file, is not shown again.
  const values = RuleFields.safeParse(given).data ?? RuleFields.parse({})
  return settingsPage(c, c.req.param('channel_id') ?? '', values, fields)
}
