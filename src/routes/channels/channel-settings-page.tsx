/** The settings of one channel: its quality, auto-download and the rule for it. */
import { type Context, Hono } from 'hono'
import { chooseQuality } from '../../domain/channels/channels.ts'
import { getChannel } from '../../domain/get.ts'
import { changeRule, getRule, previewRule } from '../../domain/rules/rules.ts'
import type { DomainError } from '../../errors.ts'
import { currentTime } from '../../runtime/clock.ts'
import type { Quality } from '../../schema/downloads/quality.ts'
import { channelPath } from '../../schema/http/paths.ts'
import type { RulePreview } from '../../schema/rules/rule.ts'
import { ChannelSettingsForm, ChosenQuality, fieldsOf, type RuleFields } from '../../schema/rules/rule-form.ts'
import { ChannelSettingsPage } from '../../views/channels/channel-settings-page.tsx'
import { PreviewAnswer } from '../../views/rules/rule-preview.tsx'
import { goTo } from '../http/answers.tsx'
import { type Env, isFragment } from '../http/context.ts'
import { pageOf } from '../http/page.ts'
import { type FormFields, formPage, valid } from '../http/valid.ts'
import { typedIn } from '../rules/rules-routes.tsx'

export const channelSettingsPages = new Hono<Env>()
  .get('/:channel_id/settings', async c => {
    const channel_id = c.req.param('channel_id')
    const rule = await getRule(c.var.library, channel_id)
    const preview = rule.auto_download ? await previewRule(c.var.library, channel_id, rule) : undefined
    return settingsPage(c, channel_id, fieldsOf(rule), { preview })
  })

  .post('/:channel_id/settings', valid('form', ChannelSettingsForm, askAgain), async c => {
    const channel_id = c.req.param('channel_id')
    const { quality, ...rule } = c.req.valid('form')
    const { auto_download } = await changeRule(c.var.library, channel_id, rule)
    if (quality !== undefined) await chooseQuality(c.var.library, channel_id, quality || null)
    const text = `Settings saved. Auto-download is ${auto_download ? 'on' : 'off'}.`
    return goTo(c, channelPath({ channel_id }), text)
  })

  .post('/:channel_id/settings/preview', valid('form', ChannelSettingsForm, previewRefused), async c => {
    const channel_id = c.req.param('channel_id')
    const { quality, ...rule } = c.req.valid('form')
    const preview = await previewRule(c.var.library, channel_id, rule)
    if (isFragment(c)) return c.render(<PreviewAnswer preview={preview} now={currentTime()} />)
    return settingsPage(c, channel_id, fieldsOf(rule), { quality, preview })
  })

/** `quality`: as it was chosen and not saved. */
type UnsavedSettings = { quality?: Quality | '' | undefined; refusal?: DomainError; preview?: RulePreview | undefined }

async function settingsPage(
  c: Context<Env>,
  channel_id: string,
  values: RuleFields,
  { quality, refusal, preview }: UnsavedSettings,
): Promise<Response> {
  const stored = await getChannel(c.var.library, channel_id)
  const channel = quality === undefined ? stored : { ...stored, quality: quality || null }
  const usual = (await c.var.library.settings.get()).quality
  const plays_whole = await c.var.library.settings.playsWhole(channel_id)
  const errors = refusal?.fields ?? {}
  const playlists = await c.var.library.playlists.list()
  const form = { playlists, values, errors, preview, plays_whole: plays_whole === true }
  return formPage(c, <ChannelSettingsPage page={pageOf(c)} channel={channel} usual={usual} {...form} />, refusal)
}

function askAgain(c: Context<Env>, refusal: DomainError, fields: FormFields): Promise<Response> {
  const { data } = ChosenQuality.safeParse(fields)
  return settingsPage(c, c.req.param('channel_id') ?? '', typedIn(fields), { quality: data?.quality, refusal })
}

/** The form stays as it is typed, so the sentences appear in place of the preview. */
function previewRefused(c: Context<Env>, refusal: DomainError, fields: FormFields): Response | Promise<Response> {
  if (!isFragment(c)) return askAgain(c, refusal, fields)
  return c.render(<PreviewAnswer errors={refusal.fields} now={currentTime()} />, refusal.status)
}
