/** A person's settings, as JSON. */
import { Hono } from 'hono'
import { Settings, SettingsRequest } from '../../schema/settings/settings.ts'
import type { Env } from '../http/context.ts'
import { describeRoute, validJson } from '../http/operation.ts'

export const settings = new Hono<Env>()
  .get(
    '/settings',
    describeRoute({
      summary: 'Read your settings',
      responses: { 200: { description: 'A channel can have its own quality', schema: Settings } },
    }),
    async c => c.json(await c.var.library.settings.get()),
  )

  .put(
    '/settings',
    describeRoute({
      summary: 'Change your settings',
      responses: { 200: { description: 'Applies to downloads that start from now on', schema: Settings } },
    }),
    validJson(SettingsRequest),
    async c => c.json(await c.var.library.settings.save(c.req.valid('json'))),
  )
