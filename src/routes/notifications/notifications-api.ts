/** Where a person wants to be told, as JSON. No answer contains a secret. */
import { Hono } from 'hono'
import {
  addBrowser,
  addTarget,
  changeTarget,
  listTargets,
  type Notifier,
  removeBrowser,
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
import { type Env, siteOf, userOf } from '../http/context.ts'
import { created, done, ok, operation, validJson } from '../http/operation.ts'

export const notificationsApi = (notifier: Notifier) =>
  new Hono<Env>()
    .get('/notifications', operation('List where you are told', ok(Targets, 'The oldest first')), async c =>
      c.json({ targets: await listTargets(c.var.library) }),
    )

    .post(
      '/notifications',
      operation('Be told at an address', created(Target, 'The target'), {
        description:
          'A webhook gets a POST of JSON: `id` (the same when it is sent again), `event`, `at`, `title`, `text`, `url` and `videos`. With a secret, `X-Backlot-Signature` is `sha256=` and the HMAC of the body. Mail needs a mail server, which the operator names.',
        errors: [409, 429],
      }),
      validJson(TargetRequest),
      async c => c.json(await addTarget(notifier, c.var.library, userOf(c).role, c.req.valid('json')), 201),
    )

    .post(
      '/notifications/browsers',
      operation('Be told in a browser', created(Target, 'The target: a new one, or the one that the browser has'), {
        description: 'Takes what `PushSubscription.toJSON()` gives.',
        errors: [409],
      }),
      validJson(BrowserRequest),
      async c => c.json(await addBrowser(c.var.library, userOf(c).role, c.req.valid('json')), 201),
    )

    .delete(
      '/notifications/browsers',
      operation('Be told no more in a browser', done('Removed, or it was not there')),
      validJson(BrowserRemoval),
      async c => {
        await removeBrowser(c.var.library, c.req.valid('json').endpoint)
        return c.body(null, 204)
      },
    )

    .patch(
      '/notifications/:target_id',
      operation('Change where or what you are told', ok(Target, 'The target'), { errors: [409, 429] }),
      validJson(TargetChange),
      async c => {
        const { library } = c.var
        const { role } = userOf(c)
        return c.json(await changeTarget(notifier, library, role, c.req.param('target_id'), c.req.valid('json')))
      },
    )

    .delete('/notifications/:target_id', operation('Be told no more at an address', done('Removed')), async c => {
      await removeTarget(c.var.library, c.req.param('target_id'))
      return c.body(null, 204)
    })

    .post(
      '/notifications/:target_id/test',
      operation('Send a test message now', ok(TestResult, 'Whether it arrived, in words'), { errors: [409, 429] }),
      async c => c.json(await testTarget(notifier, c.var.library, c.req.param('target_id'), siteOf(c))),
    )
