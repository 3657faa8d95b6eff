/** The settings of one channel: auto-download and its rule. */
import { type Context, Hono } from 'hono'
import { getChannel } from '../../domain/channels/channels.ts'
import { changeRule, getRule } from '../../domain/channels/rules.ts'
import type { DomainError } from '../../errors.ts'
import { fieldsOf, RuleFields, RuleForm } from '../../schema/rule-form.ts'
import { ChannelSettingsPage } from '../../views/pages/channel-settings.tsx'
import { channelPath } from '../../views/parts/words.ts'
import type { Env } from '../middleware/context.ts'
import { setFlash } from '../middleware/flash.ts'
import { formPage, type Given } from '../middleware/refused.ts'
import { pageOf } from '../middleware/render.tsx'
import { valid } from '../middleware/valid.ts'

export const channelSettingsPages = new Hono<Env>()
  .get('/:channel_id/settings', async c => {
    const channel_id = c.req.param('channel_id')
    return settingsPage(c, channel_id, fieldsOf(await getRule(c.var.library, channel_id)))
  })

  .post('/:channel_id/settings', valid('form', RuleForm, askAgain), async c => {
    const channel_id = c.req.param('channel_id')
    const { auto_download } = await changeRule(c.var.library, channel_id, c.req.valid('form'))
    const text = auto_download ? 'Auto-download is on.' : 'Auto-download is off.'
    setFlash(c, { kind: 'done', text })
    return c.redirect(channelPath({ channel_id }), 303)
  })

async function settingsPage(
  c: Context<Env>,
  channel_id: string,
  values: RuleFields,
  refusal?: DomainError,
): Promise<Response> {
  const channel = await getChannel(c.var.library, channel_id)
  const usual = (await c.var.library.settings.get()).quality
  const errors = refusal?.fields ?? {}
  const page = <ChannelSettingsPage page={pageOf(c)} channel={channel} usual={usual} values={values} errors={errors} />
  return formPage(c, page, refusal)
}

function askAgain(c: Context<Env>, refusal: DomainError, given: Given): Promise<Response> {
  // A field that is not text, such as a file, is not shown again.
  const values = RuleFields.safeParse(given).data ?? RuleFields.parse({})
  return settingsPage(c, c.req.param('channel_id') ?? '', values, refusal)
}
