/** Auto-download rules for several channels, the default rule for new ones, and what a rule would do, as JSON. */
import { Hono } from 'hono'
import { changeDefaultRule, changeRules, getDefaultRule, previewRule } from '../../domain/rules/rules.ts'
import { Rule, RulePreview, RuleRequest, RulesRequest, RulesResult } from '../../schema/rules/rule.ts'
import type { Env } from '../http/context.ts'
import { ok, operation, validJson } from '../http/operation.ts'

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
