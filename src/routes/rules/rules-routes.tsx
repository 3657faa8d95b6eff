/** Auto-download rules for several channels, the default rule for new ones, and what a rule would do. */
import { type Context, Hono } from 'hono'
import { z } from 'zod'
import {
  changeDefaultRule,
  changeRules,
  getDefaultRule,
  getRule,
  previewRule,
  previewRules,
} from '../../domain/rules/rules.ts'
import { DomainError } from '../../errors.ts'
import { currentTime } from '../../runtime/clock.ts'
import {
  type ChosenChannels,
  Rule,
  RulePreview,
  RuleRequest,
  type RulesPreview,
  RulesRequest,
  RulesResult,
} from '../../schema/rules/rule.ts'
import { fieldsOf, RuleFields, RuleForm } from '../../schema/rules/rule-fields.ts'
import { listOf } from '../../schema/values/fields.ts'
import { countWords } from '../../schema/values/words.ts'
import { PreviewAnswer } from '../../views/rules/rule-preview.tsx'
import { DefaultRulePage, default_rule_path, RulesPage } from '../../views/rules/rules-page.tsx'
import { goTo } from '../http/answers.tsx'
import { type Env, isFragment } from '../http/context.ts'
import { ok, operation, validJson } from '../http/operation.ts'
import { pageOf } from '../http/page.ts'
import { type FormFields, formPage, valid } from '../http/valid.ts'

export const rulesApi = new Hono<Env>()
  .post(
    '/channels/:channel_id/rule/preview',
    operation(
      'Show what a rule would do if you saved it for this channel',
      ok(RulePreview, 'What it would request and delete now, and why not more'),
      { description: 'Nothing is saved.' },
    ),
    validJson(RuleRequest),
    async c => c.json(await previewRule(c.var.library, c.req.param('channel_id'), c.req.valid('json'))),
  )

  .post(
    '/rules',
    operation(
      'Replace the auto-download rules of several channels with one',
      ok(
        RulesResult,
        'Applies to videos that appear from now on, and within minutes to older ones that the rule includes. Channels that you do not have are not counted.',
      ),
    ),
    validJson(RulesRequest),
    async c => {
      const { rule, ...chosen } = c.req.valid('json')
      return c.json({ changed: await changeRules(c.var.library, chosen, rule) })
    },
  )

  .get(
    '/rules/default',
    operation(
      'Read the auto-download rule for channels that you follow from now on',
      ok(Rule, 'Off unless you turned it on'),
    ),
    async c => c.json(await getDefaultRule(c.var.library)),
  )

  .put(
    '/rules/default',
    operation(
      'Replace the auto-download rule for channels that you follow from now on; a field left out sets no limit',
      ok(Rule, 'Each new channel gets a copy, also by an import'),
    ),
    validJson(RuleRequest),
    async c => c.json(await changeDefaultRule(c.var.library, c.req.valid('json'))),
  )

export const defaultRulePages = new Hono<Env>()
  .get('/', async c => {
    const rule = await getDefaultRule(c.var.library)
    return defaultRulePage(c, fieldsOf(rule), { preview: await previewed(c, { all: true }, rule) })
  })

  .post('/', valid('form', RuleForm, defaultRuleAgain), async c => {
    const { auto_download } = await changeDefaultRule(c.var.library, c.req.valid('form'))
    return goTo(c, default_rule_path, `Auto-download is ${auto_download ? 'on' : 'off'} for new channels.`)
  })

  // It says what the rule would do with the channels that are followed already.
  .post('/preview', valid('form', RuleForm, defaultRuleAgain), async c => {
    const rule = c.req.valid('form')
    const preview = await previewed(c, { all: true }, rule)
    if (isFragment(c)) return c.render(<PreviewAnswer preview={preview} deletes_if_replaced now={currentTime()} />)
    return defaultRulePage(c, fieldsOf(rule), { preview })
  })

  .post('/all', valid('form', RuleForm, defaultRuleAgain), async c => {
    const rule = await changeDefaultRule(c.var.library, c.req.valid('form'))
    return goTo(c, default_rule_path, changedWords(rule, await changeRules(c.var.library, { all: true }, rule)))
  })

const Chosen = z.object({ all: z.string().optional(), channel_id: listOf(5000) })

export const rulesPages = new Hono<Env>()
  // `from`: the channel whose rule is the first proposal.
  .get('/', async c => {
    const { library } = c.var
    const from = c.req.query('from')
    const rule = from === undefined ? await getDefaultRule(library) : await getRule(library, from)
    return rulesPage(c, fieldsOf(rule), new Set())
  })

  .post('/preview', valid('form', z.intersection(Chosen, RuleForm), rulesAgain), async c => {
    const { all, channel_id: channel_ids, ...rule } = c.req.valid('form')
    const preview = await previewed(c, all ? { all: true } : { channel_ids }, rule)
    if (isFragment(c)) return c.render(<PreviewAnswer preview={preview} now={currentTime()} />)
    return rulesPage(c, fieldsOf(rule), all ? 'all' : new Set(channel_ids), { preview })
  })

  .post('/', valid('form', z.intersection(Chosen, RuleForm), rulesAgain), async c => {
    const { all, channel_id: channel_ids, ...rule } = c.req.valid('form')
    if (!all && channel_ids.length === 0) {
      const fields = { channel_ids: 'Choose at least one channel.' }
      const refusal = new DomainError('invalid', 'Some values are not valid.', { fields })
      return rulesPage(c, fieldsOf(rule), new Set(), { refusal })
    }
    const chosen = all ? { all: true as const } : { channel_ids }
    return goTo(c, '/channels', changedWords(rule, await changeRules(c.var.library, chosen, rule)))
  })

const changedWords = ({ auto_download }: Pick<Rule, 'auto_download'>, changed: number) =>
  `Auto-download is ${auto_download ? 'on' : 'off'} for ${countWords(changed, 'channel')}.`

/** Nothing, while the rule is off or no channel is chosen. */
async function previewed(c: Context<Env>, chosen: ChosenChannels, rule: Rule): Promise<RulesPreview | undefined> {
  if (!rule.auto_download || chosen.channel_ids?.length === 0) return undefined
  return previewRules(c.var.library, chosen, rule)
}

type Shown = { refusal?: DomainError; preview?: RulesPreview | undefined }

async function defaultRulePage(c: Context<Env>, values: RuleFields, { refusal, preview }: Shown): Promise<Response> {
  const { followed } = await c.var.library.channels.tally()
  const playlists = await c.var.library.playlists.list()
  const form = { playlists, values, errors: refusal?.fields ?? {}, preview }
  return formPage(c, <DefaultRulePage page={pageOf(c)} {...form} followed={followed} />, refusal)
}

async function rulesPage(
  c: Context<Env>,
  values: RuleFields,
  chosen: ReadonlySet<string> | 'all',
  { refusal, preview }: Shown = {},
): Promise<Response> {
  const [channels, playlists] = await Promise.all([c.var.library.channels.list(), c.var.library.playlists.list()])
  const form = { playlists, values, errors: refusal?.fields ?? {}, preview }
  return formPage(c, <RulesPage page={pageOf(c)} channels={channels} chosen={chosen} {...form} />, refusal)
}

/** htmx asks for previews only. The form stays as it is typed, so the sentences appear in place of the preview. */
export const refusedPreview = (c: Context<Env>, { fields, status }: DomainError) =>
  c.render(<PreviewAnswer errors={fields} now={currentTime()} />, status)

function defaultRuleAgain(c: Context<Env>, refusal: DomainError, fields: FormFields): Response | Promise<Response> {
  if (isFragment(c)) return refusedPreview(c, refusal)
  return defaultRulePage(c, typedIn(fields), { refusal })
}

function rulesAgain(c: Context<Env>, refusal: DomainError, fields: FormFields): Response | Promise<Response> {
  if (isFragment(c)) return refusedPreview(c, refusal)
  const { all, channel_id } = Chosen.safeParse(fields).data ?? { channel_id: [] }
  return rulesPage(c, typedIn(fields), all ? 'all' : new Set(channel_id), { refusal })
}

/** A field that is not text, such as a file, is not shown again. */
export const typedIn = (fields: FormFields): RuleFields => RuleFields.safeParse(fields).data ?? RuleFields.parse({})
