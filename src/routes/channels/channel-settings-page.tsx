/** The page of the settings of one channel, and the rule for it. */
import { type Context, Hono } from 'hono'
import { getChannel } from '../../domain/get.ts'
import { changeRule, getRule, previewRule } from '../../domain/rules/rules.ts'
import type { DomainError } from '../../errors.ts'
import { currentTime } from '../../runtime/clock.ts'
import { channelPath } from '../../schema/http/paths.ts'
import type { RulePreview } from '../../schema/rules/rule.ts'
import { fieldsOf, type RuleFields, RuleForm } from '../../schema/rules/rule-fields.ts'
import { ChannelSettingsPage } from '../../views/channels/channel-settings-page.tsx'
import { PreviewAnswer } from '../../views/rules/rule-preview.tsx'
import { goTo } from '../http/answers.tsx'
import { type Env, isFragment } from '../http/context.ts'
import { pageOf } from '../http/page.ts'
import { type FormFields, formPage, valid } from '../http/valid.ts'
import { refusedPreview, typedIn } from '../rules/rules-routes.tsx'

export const channelSettingsPages = new Hono<Env>()
  .get('/:channel_id/settings', async c => {
    const channel_id = c.req.param('channel_id')
    const rule = await getRule(c.var.library, channel_id)
    const preview = rule.auto_download ? await previewRule(c.var.library, channel_id, rule) : undefined
    return settingsPage(c, channel_id, fieldsOf(rule), { preview })
  })

  .post('/:channel_id/settings', valid('form', RuleForm, askAgain), async c => {
    const channel_id = c.req.param('channel_id')
    const { auto_download } = await changeRule(c.var.library, channel_id, c.req.valid('form'))
    const text = `Settings saved. Auto-download is ${auto_download ? 'on' : 'off'}.`
    return goTo(c, channelPath({ channel_id }), text)
  })

  .post('/:channel_id/settings/preview', valid('form', RuleForm, askAgain), async c => {
    const channel_id = c.req.param('channel_id')
    const rule = c.req.valid('form')
    const preview = await previewRule(c.var.library, channel_id, rule)
    if (isFragment(c)) return c.render(<PreviewAnswer preview={preview} now={currentTime()} />)
    return settingsPage(c, channel_id, fieldsOf(rule), { preview })
  })

async function settingsPage(
  c: Context<Env>,
  channel_id: string,
  values: RuleFields,
  { refusal, preview }: { refusal?: DomainError; preview?: RulePreview | undefined },
): Promise<Response> {
  const channel = await getChannel(c.var.library, channel_id)
  const usual = (await c.var.library.settings.get()).quality
  const plays_whole = await c.var.library.settings.playsWhole(channel_id)
  const playlists = await c.var.library.playlists.list()
  const form = { playlists, values, errors: refusal?.fields ?? {}, preview, plays_whole: plays_whole === true }
  return formPage(c, <ChannelSettingsPage page={pageOf(c)} channel={channel} usual={usual} {...form} />, refusal)
}

function askAgain(c: Context<Env>, refusal: DomainError, fields: FormFields): Response | Promise<Response> {
  if (isFragment(c)) return refusedPreview(c, refusal)
  return settingsPage(c, c.req.param('channel_id') ?? '', typedIn(fields), { refusal })
}
