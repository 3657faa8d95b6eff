/** A person's podcasts. The address of a new one is shown once, in the answer that creates it; OPML for podcast apps has them all. */
import { type Context, Hono } from 'hono'
import { deletePodcast, makePodcast, podcastsAsOpml, titleOf } from '../../domain/podcasts/podcasts.ts'
import { DomainError } from '../../errors.ts'
import { channelPath, newPath, playlistPath, watch_later_path } from '../../schema/http/paths.ts'
import { NewPodcast, type PodcastOf, PodcastRequest, Podcasts } from '../../schema/podcasts/podcast.ts'
import { PodcastForm, PodcastSubject } from '../../schema/podcasts/podcast-form.ts'
import { PodcastPage } from '../../views/podcasts/podcast-page.tsx'
import { acknowledge } from '../http/answers.tsx'
import { type Env, siteOf } from '../http/context.ts'
import { created, done, ok, okText, operation, validJson } from '../http/operation.ts'
import { pageOf } from '../http/page.ts'
import { refuseOtherSites } from '../http/same-origin.ts'
import { errorsAt, type FormFields, formPage, orRefusal, textIn, valid } from '../http/valid.ts'

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

export const podcastPages = new Hono<Env>()
  .get('/podcasts/new', valid('query', PodcastSubject), c => podcastPage(c, c.req.valid('query')))

  .post('/podcasts/new', valid('form', PodcastForm, askAgain), async c => {
    const { of, ...wanted } = c.req.valid('form')
    const subject = await subjectOf(c, of)
    const made = await orRefusal(makePodcast(c.var.library, { of, ...wanted }, siteOf(c)), ['conflict'])
    if (made instanceof DomainError) return podcastPage(c, of, made, await c.req.parseBody())
    c.header('Cache-Control', 'no-store')
    const form = { values: usual, errors: {} }
    return c.render(<PodcastPage page={pageOf(c)} subject={subject} url={made.url} {...form} />, 201)
  })

const usual = { kind: 'video', newest: '50' }

function askAgain(c: Context<Env>, refusal: DomainError, fields: FormFields) {
  const named = PodcastSubject.safeParse(fields)
  if (!named.success) throw refusal
  return podcastPage(c, named.data, refusal, fields)
}

async function podcastPage(c: Context<Env>, of: PodcastOf, refusal?: DomainError, fields: FormFields = {}) {
  const values = { kind: textIn(fields.kind, usual.kind), newest: textIn(fields.newest, usual.newest).slice(0, 20) }
  const form = { subject: await subjectOf(c, of), values, errors: errorsAt('body', refusal) }
  return formPage(c, <PodcastPage page={pageOf(c)} {...form} />, refusal)
}

const subjectOf = async (c: Context<Env>, of: PodcastOf) => ({
  title: await titleOf(c.var.library, of),
  path: pathOf(of),
  fields: of,
})

function pathOf(of: PodcastOf): string {
  if ('channel_id' in of) return channelPath(of)
  if ('group_id' in of) return newPath(of.group_id)
  if ('playlist_id' in of) return playlistPath(of)
  return { all: '/downloads', new: '/', later: watch_later_path }[of.list]
}
