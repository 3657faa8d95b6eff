/** The targets of a person's notifications, as JSON. No answer contains a secret. */
import { Hono } from 'hono'
import {
  addBrowser,
  addTarget,
  changeTarget,
  type Notifier,
  removeTarget,
  testTarget,
} from '../../domain/notifications/targets.ts'
import {
  BrowserRemoval,
  BrowserRequest,
  Target,
  TargetChange,
  TargetRequest,
  Targets,
  TestResult,
} from '../../schema/notifications/target.ts'
import { acknowledge } from '../http/answers.tsx'
import { type Env, siteOf, userOf } from '../http/context.ts'
import { created, done, ok, operation, validJson } from '../http/operation.ts'

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
