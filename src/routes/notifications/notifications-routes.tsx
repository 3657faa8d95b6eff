/** The targets of a person's notifications, a test of each, quiet hours and the daily limit. No answer has a saved token or key. */
import { type Context, Hono } from 'hono'
import {
  addBrowser,
  addTarget,
  changeTarget,
  getTarget,
  type Notifier,
  removeTarget,
  testTarget,
} from '../../domain/notifications/targets.ts'
import { DomainError, type ErrorCode } from '../../errors.ts'
import { notifications_path, targetPath } from '../../schema/http/paths.ts'
import {
  BrowserRemoval,
  BrowserRequest,
  Target,
  TargetChange,
  TargetRequest,
  Targets,
  TestResult,
} from '../../schema/notifications/target.ts'
import { TargetChangeForm, TargetForm, TimesForm } from '../../schema/notifications/target-fields.ts'
import { NotificationsPage, type Times } from '../../views/notifications/notifications-page.tsx'
import { TargetPage, type TargetValues } from '../../views/notifications/target-form.tsx'
import { acknowledge, goTo } from '../http/answers.tsx'
import { type Env, siteOf, userOf } from '../http/context.ts'
import { timeZoneOf } from '../http/cookies.ts'
import { created, done, ok, operation, validJson } from '../http/operation.ts'
import { pageOf } from '../http/page.ts'
import { errorsAt, type FormFields, formPage, orRefusal, textIn, valid } from '../http/valid.ts'
import { bellPages } from './bells-routes.tsx'

export const notificationsApi = (notifier: Notifier) =>
  new Hono<Env>()
    .get('/notifications', operation('List your notification targets', ok(Targets, 'The oldest first')), async c =>
      c.json({ targets: await c.var.library.targets.list() }),
    )

    .post(
      '/notifications',
      operation('Add a target', created(Target, 'The target'), {
        description:
          'A webhook gets a POST of JSON: `id` (the same when it is sent again), `event`, `at`, `title`, `text`, `url` and `videos`. With a secret, `X-Backlot-Signature` is `sha256=` and the HMAC of the body. Mail needs `SMTP_URL`, which the operator sets.',
        errors: [409, 429],
      }),
      validJson(TargetRequest),
      async c => c.json(await addTarget(notifier, c.var.library, userOf(c).role, c.req.valid('json')), 201),
    )

    .post(
      '/notifications/browsers',
      operation(
        'Switch notifications on in a browser',
        created(Target, 'The target: a new one, or the one that the browser has'),
        {
          description: 'Takes what `PushSubscription.toJSON()` gives.',
          errors: [409],
        },
      ),
      validJson(BrowserRequest),
      async c => c.json(await addBrowser(c.var.library, userOf(c).role, c.req.valid('json')), 201),
    )

    .delete(
      '/notifications/browsers',
      operation('Switch notifications off in a browser', done('Removed, or it was not there')),
      validJson(BrowserRemoval),
      c => acknowledge(c, c.var.library.targets.removeBrowser(c.req.valid('json').endpoint)),
    )

    .patch(
      '/notifications/:target_id',
      operation('Change a target', ok(Target, 'The target'), { errors: [409, 429] }),
      validJson(TargetChange),
      async c => {
        const { library } = c.var
        const { role } = userOf(c)
        return c.json(await changeTarget(notifier, library, role, c.req.param('target_id'), c.req.valid('json')))
      },
    )

    .delete('/notifications/:target_id', operation('Remove a target', done('Removed')), c =>
      acknowledge(c, removeTarget(c.var.library, c.req.param('target_id'))),
    )

    .post(
      '/notifications/:target_id/test',
      operation('Send a test message to a target now', ok(TestResult, 'Whether it arrived, in words'), {
        errors: [409, 429],
      }),
      async c => c.json(await testTarget(notifier, c.var.library, c.req.param('target_id'), siteOf(c))),
    )

/** `has_links`: PUBLIC_URL is set, so that messages can lead to pages. */
export function notificationsPages(notifier: Notifier, has_links: boolean) {
  type Refused = { refusal?: DomainError; target?: FormFields; times?: FormFields }
  const page = async (c: Context<Env>, { refusal, target, times }: Refused = {}) => {
    const [targets, settings, { public_key }] = await Promise.all([
      c.var.library.targets.list(),
      c.var.library.settings.get(),
      notifier.webPushKeys(),
    ])
    const form = {
      values: valuesOf(target ?? {}, usual),
      times: timesOf(times ?? settings),
      errors: target ? errorsAt('body', refusal) : {},
      time_errors: times ? errorsAt('messages_a_day', refusal) : {},
    }
    const props = { targets, public_key, has_links, is_mail_on: notifier.is_mail_on, zone_here: timeZoneOf(c), ...form }
    return formPage(c, <NotificationsPage page={pageOf(c)} {...props} />, refusal)
  }
  const addAgain = (c: Context<Env>, refusal: DomainError, target: FormFields) => page(c, { refusal, target })
  const timesAgain = (c: Context<Env>, refusal: DomainError, times: FormFields) => page(c, { refusal, times })

  return new Hono<Env>()
    .route('/', bellPages)

    .get(notifications_path, c => page(c))

    .post(notifications_path, valid('form', TargetForm, addAgain), async c => {
      const adding = addTarget(notifier, c.var.library, userOf(c).role, c.req.valid('form'))
      const added = await orRefusal(adding, refusals)
      if (added instanceof DomainError) return addAgain(c, added, await c.req.parseBody({ all: true }))
      return goTo(c, targetPath(added), 'Added. Send a test to see whether messages arrive.')
    })

    .post(`${notifications_path}/times`, valid('form', TimesForm, timesAgain), async c => {
      await c.var.library.settings.save(c.req.valid('form'))
      return goTo(c, notifications_path, 'Saved.')
    })

    .get(`${notifications_path}/:target_id`, c => targetPage(c))

    .post(`${notifications_path}/:target_id`, valid('form', TargetChangeForm, targetPage), async c => {
      const target_id = c.req.param('target_id')
      const changing = changeTarget(notifier, c.var.library, userOf(c).role, target_id, c.req.valid('form'))
      const changed = await orRefusal(changing, refusals)
      if (changed instanceof DomainError) return targetPage(c, changed, await c.req.parseBody({ all: true }))
      return goTo(c, notifications_path, 'Saved.')
    })

    .post(`${notifications_path}/:target_id/test`, async c => {
      const target_id = c.req.param('target_id')
      const testing = testTarget(notifier, c.var.library, target_id, siteOf(c))
      const result = await orRefusal(testing, ['conflict', 'too_many'])
      if (result instanceof DomainError) return goTo(c, targetPath({ target_id }), result)
      // A browser that its push service no longer knows is removed.
      const target = await c.var.library.targets.find(target_id)
      const path = target ? targetPath(target) : notifications_path
      return goTo(c, path, { kind: result.delivered ? 'done' : 'problem', text: result.detail })
    })

    .post(`${notifications_path}/:target_id/remove`, async c => {
      await removeTarget(c.var.library, c.req.param('target_id'))
      return goTo(c, notifications_path, 'Removed. No more messages go there.')
    })
}

const refusals: ErrorCode[] = ['conflict', 'invalid', 'too_many']

async function targetPage(c: Context<Env>, refusal?: DomainError, fields?: FormFields): Promise<Response> {
  const target = await getTarget(c.var.library, c.req.param('target_id') ?? '')
  const values = valuesOf(fields ?? target, { kind: target.kind, address: target.address, events: [] })
  return formPage(
    c,
    <TargetPage page={pageOf(c)} target={target} values={values} errors={errorsAt('body', refusal)} />,
    refusal,
  )
}

/** What most people want to hear of. */
const usual: TargetValues = { kind: '', address: '', events: ['new_video', 'download_failed', 'space', 'service'] }

/** The fields as they were typed, to be shown again. */
const valuesOf = (fields: FormFields, otherwise: TargetValues): TargetValues => ({
  kind: textIn(fields.kind, otherwise.kind),
  address: textIn(fields.address, otherwise.address).slice(0, 4096),
  events: 'kind' in fields || 'events' in fields ? [fields.events ?? []].flat().map(String) : otherwise.events,
})

const timesOf = (fields: FormFields): Times => ({
  quiet_from: textIn(fields.quiet_from),
  quiet_to: textIn(fields.quiet_to),
  time_zone: textIn(fields.time_zone, 'UTC').slice(0, 60),
  messages_a_day: String(fields.messages_a_day ?? '').slice(0, 20),
})
