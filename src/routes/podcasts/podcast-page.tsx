/** The page that creates a podcast. Its address is shown once, in the answer to the form. */
import { type Context, Hono } from 'hono'
import { makePodcast, titleOf } from '../../domain/podcasts/podcasts.ts'
import { DomainError } from '../../errors.ts'
import { channelPath, newPath, playlistPath, watch_later_path } from '../../schema/http/paths.ts'
import type { PodcastOf } from '../../schema/podcasts/podcast.ts'
import { PodcastForm, PodcastSubject } from '../../schema/podcasts/podcast-form.ts'
import { PodcastPage } from '../../views/podcasts/podcast-page.tsx'
import { type Env, siteOf } from '../http/context.ts'
import { pageOf } from '../http/page.ts'
import { errorsAt, type FormFields, formPage, orRefusal, textIn, valid } from '../http/valid.ts'

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
