/** A person's links as JSON. */
import { Hono } from 'hono'
import { createLink, revokeLink } from '../../domain/links/links.ts'
import { LinkRequest, Links, NewLink } from '../../schema/links/link.ts'
import { acknowledge } from '../http/answers.tsx'
import { type Env, siteOf } from '../http/context.ts'
import { created, done, ok, operation, validJson } from '../http/operation.ts'

export const linksApi = new Hono<Env>()
  .get('/links', operation('List your links', ok(Links, 'Those that are valid, the newest first')), async c =>
    c.json({ links: await c.var.library.secrets.links() }),
  )

  .post(
    '/links',
    operation('Create a link to a video', created(NewLink, 'The link, with its address'), {
      description:
        'Everyone who has the address can open the video without a sign-in, until the link expires or is revoked, or the file is deleted. The file of a `play` link is sent with ranges. Its subtitles are next to it: `en.vtt`.',
      errors: [404, 409],
    }),
    validJson(LinkRequest),
    async c => c.json(await createLink(c.var.library, siteOf(c), c.req.valid('json')), 201),
  )

  .delete('/links/:link_id', operation('Revoke a link', done('Its address opens nothing from now on')), c =>
    acknowledge(c, revokeLink(c.var.library, c.req.param('link_id'))),
  )
