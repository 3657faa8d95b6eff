/** A person's links, the settings of links and podcasts, and the page that opens a video elsewhere. A new address is shown once. */
import { type Context, Hono } from 'hono'
import { z } from 'zod'
import { getVideo, not_on_disk } from '../../domain/get.ts'
import { createLink, revokeLink } from '../../domain/links/links.ts'
import { deletePodcast, makeAddress, missingSounds } from '../../domain/podcasts/podcasts.ts'
import { DomainError } from '../../errors.ts'
import { links_path } from '../../schema/http/paths.ts'
import { LinkRequest, Links, NewLink } from '../../schema/links/link.ts'
import { ElsewherePage } from '../../views/links/elsewhere-page.tsx'
import { LinksPage } from '../../views/links/links-page.tsx'
import { acknowledge, goTo } from '../http/answers.tsx'
import { type Env, siteOf } from '../http/context.ts'
import { attachment } from '../http/disposition.ts'
import { created, done, ok, operation, validJson } from '../http/operation.ts'
import { pageOf } from '../http/page.ts'
import { valid } from '../http/valid.ts'

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

/** How long a link is valid: a television or a player needs it for an evening. */
const hours = { play: 24, share: 7 * 24 }

const ElsewhereForm = z.object({ kind: z.enum(['play', 'share']) })

const elsewherePages = new Hono<Env>()
  .get('/watch/:video_id/elsewhere', async c => {
    const video = await getVideo(c.var.library, c.req.param('video_id'))
    if (video.download_status !== 'completed') throw new DomainError('not_found', not_on_disk)
    return c.render(<ElsewherePage page={pageOf(c)} video={video} />)
  })

  .post('/watch/:video_id/elsewhere', valid('form', ElsewhereForm), async c => {
    const { kind } = c.req.valid('form')
    const { video, url } = await linkTo(c, c.req.param('video_id'), kind)
    return c.render(<ElsewherePage page={pageOf(c)} video={video} created={{ kind, url }} />, 201)
  })

  // Players on desktops and phones open such a file.
  .post('/watch/:video_id/elsewhere/playlist.m3u', async c => {
    const { video, url } = await linkTo(c, c.req.param('video_id'), 'play')
    const title = video.title.toWellFormed().replace(/[\p{Cc}\s]+/gu, ' ')
    const seconds = Math.round(video.duration_seconds ?? -1)
    c.header('Content-Disposition', attachment(video.title, 'm3u'))
    return c.body(`#EXTM3U\n#EXTINF:${seconds},${title}\n${url}\n`, 200, {
      'Content-Type': 'audio/x-mpegurl; charset=utf-8',
    })
  })

async function linkTo(c: Context<Env>, video_id: string, kind: 'play' | 'share') {
  const video = await getVideo(c.var.library, video_id)
  const { url } = await createLink(c.var.library, siteOf(c), { video_id: video.video_id, kind, hours: hours[kind] })
  c.header('Cache-Control', 'no-store')
  return { video, url }
}

export const linksPages = new Hono<Env>()
  .route('/', elsewherePages)

  .get(links_path, c => linksPage(c))

  .post(`${links_path}/:link_id/revoke`, async c => {
    await revokeLink(c.var.library, c.req.param('link_id'))
    return goTo(c, links_path, 'Link revoked. Its address opens nothing from now on.')
  })

  .post(`${links_path}/podcasts/:podcast_id/address`, async c => {
    const created = await makeAddress(c.var.library, c.req.param('podcast_id'), siteOf(c))
    c.header('Cache-Control', 'no-store')
    return linksPage(c, created)
  })

  .post(`${links_path}/podcasts/:podcast_id/delete`, async c => {
    await deletePodcast(c.var.library, c.req.param('podcast_id'))
    return goTo(c, links_path, 'Podcast deleted. Its addresses open nothing from now on.')
  })

async function linksPage(c: Context<Env>, created?: { podcast_id: string; url: string }): Promise<Response> {
  const [links, podcasts] = await Promise.all([c.var.library.secrets.links(), c.var.library.podcasts.list()])
  const missing = await missingSounds(c.var.library, podcasts)
  const props = { links, podcasts, missing, ...(created && { created }) }
  return c.render(<LinksPage page={pageOf(c)} {...props} />, created ? 201 : 200)
}
