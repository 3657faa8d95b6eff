/** A person's settings, as JSON. */
import { Hono } from 'hono'
import { Settings, SettingsRequest } from '../../schema/settings/settings.ts'
import type { Env } from '../http/context.ts'
import { ok, operation, validJson } from '../http/operation.ts'

export const settingsApi = new Hono<Env>()
  .get('/settings', operation('Read your settings', ok(Settings, 'A channel can have its own quality')), async c =>
    c.json(await c.var.library.settings.get()),
  )

  .put(
    '/settings',
    operation('Change your settings', ok(Settings, 'Applies to downloads that start from now on')),
    validJson(SettingsRequest),
    async c => c.json(await c.var.library.settings.save(c.req.valid('json'))),
  )
