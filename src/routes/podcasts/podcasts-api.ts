/** A person's podcasts as JSON, and as OPML for podcast apps. */
import { Hono } from 'hono'
import { deletePodcast, makePodcast, podcastsAsOpml } from '../../domain/podcasts/podcasts.ts'
import { NewPodcast, PodcastRequest, Podcasts } from '../../schema/podcasts/podcast.ts'
import { acknowledge } from '../http/answers.tsx'
import { type Env, siteOf } from '../http/context.ts'
import { created, done, ok, okText, operation, validJson } from '../http/operation.ts'
import { refuseOtherSites } from '../http/same-origin.ts'

const opml_type = 'text/x-opml'

export const podcastsApi = new Hono<Env>()
  .get('/podcasts', operation('List your podcasts', ok(Podcasts, 'The oldest first')), async c =>
    c.json({ podcasts: await c.var.library.podcasts.list() }),
  )

  .post(
    '/podcasts',
    operation('Create a podcast of videos on disk', created(NewPodcast, 'Its address, which is shown once'), {
      description:
        'The address needs no sign-in and opens only what the podcast lists. It is valid until you delete the podcast, and expires if no app uses it within 30 days.',
      errors: [404, 409],
    }),
    validJson(PodcastRequest),
    async c => {
      c.header('Cache-Control', 'no-store')
      return c.json(await makePodcast(c.var.library, c.req.valid('json'), siteOf(c)), 201)
    },
  )

  .get(
    '/podcasts.opml',
    operation('Export the addresses of your podcasts as OPML', okText(opml_type, 'All podcasts'), {
      description:
        'Only hashes of addresses are stored, so each podcast gets a new address. Its other addresses stay valid; a podcast has at most 20, and those that were never used are forgotten first. Needs a token with write access.',
      errors: [403],
    }),
    refuseOtherSites,
    async c => {
      c.header('Cache-Control', 'no-store')
      const opml = await podcastsAsOpml(c.var.library, siteOf(c))
      return c.body(opml, 200, {
        'Content-Type': `${opml_type}; charset=utf-8`,
        'Content-Disposition': 'attachment; filename="backlot-podcasts.opml"',
      })
    },
  )

  .delete('/podcasts/:podcast_id', operation('Delete a podcast', done('Its addresses open nothing from now on')), c =>
    acknowledge(c, deletePodcast(c.var.library, c.req.param('podcast_id'))),
  )
