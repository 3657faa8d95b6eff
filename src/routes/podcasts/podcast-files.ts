/** What the address of a podcast opens: its feed and what the feed names. `link-door.tsx` has found whose podcast it is. */
import { hash } from 'node:crypto'
import { type Context, Hono } from 'hono'
import {
  chaptersOf,
  episodeNamed,
  getCover,
  getEpisode,
  openEpisode,
  openTranscript,
} from '../../domain/podcasts/episode-files.ts'
import { cover_name, media_types } from '../../domain/podcasts/feed-xml.ts'
import type { Jpegs } from '../../domain/podcasts/jpegs.ts'
import { showPodcast } from '../../domain/podcasts/podcasts.ts'
import { nothingHere } from '../../errors.ts'
import { Extension } from '../../schema/downloads/quality.ts'
import type { Files } from '../../store/files.ts'
import { type Env, siteOf } from '../http/context.ts'
import { type FileSender, types } from '../http/send-file.ts'
import { namesTag } from '../http/tags.ts'
import { pageInTurn } from '../http/turn-limits.ts'

export const podcastFiles = (files: Files, { sendLinked }: FileSender, jpegOf: Jpegs) => {
  const sendPicture = async (c: Context<Env>, picture_id: string | null) => {
    if (picture_id === null) throw nothingHere()
    // The ETag names the shape, so that an app replaces the wide pictures that it has.
    if (isKnown(c, `"${picture_id}-square"`)) return c.body(null, 304)
    const picture = await jpegOf(c.get('library').user_id, picture_id)
    if (!picture) throw nothingHere()
    return c.body(new Uint8Array(picture.bytes), 200, { 'Content-Type': `image/${picture.format}` })
  }

  return (
    new Hono<Env>()
      // Each answer looks through the videos on disk, for as many apps as have an address of this person.
      .use('/f/*', pageInTurn())

      .get('/f/:secret/feed.xml', async c => {
        const site = siteOf(c)
        const places = { site, base: `${site}/f/${c.req.param('secret')}/` }
        const { etag, write } = await showPodcast(c.get('library'), feedOf(c), places)
        if (isKnown(c, etag)) return c.body(null, 304)
        return c.body(await write(), 200, { 'Content-Type': 'application/rss+xml; charset=utf-8' })
      })

      .get(`/f/:secret/${cover_name}`, async c => sendPicture(c, await getCover(c.get('library'), feedOf(c))))

      .get('/f/:secret/:name', async c => {
        const { video_id, ending } = episodeNamed(c.req.param('name'))
        const library = c.get('library')
        const episode = await getEpisode(library, feedOf(c), video_id)
        switch (ending) {
          case '.mp4':
          case '.m4a':
          case '.mp3': {
            const extension = Extension.parse(ending.slice(1))
            return sendLinked(c, await openEpisode(library, files, episode, extension), types[extension])
          }
          case '.vtt':
            return sendLinked(c, await openTranscript(library, files, episode), types.vtt)
          case '.jpg':
            return sendPicture(c, episode.picture_id)
          case '.chapters.json': {
            const text = JSON.stringify(chaptersOf(episode))
            if (isKnown(c, `"${hash('sha256', text, 'base64url')}"`)) return c.body(null, 304)
            return c.body(text, 200, { 'Content-Type': media_types.chapters })
          }
        }
      })
  )
}

const feedOf = (c: Context<Env>): string => c.get('link').opens.podcast_id ?? ''

/** Sets the tag of the answer. Whether the app has this answer already. */
function isKnown(c: Context<Env>, etag: string): boolean {
  c.header('Cache-Control', 'private, no-cache')
  c.header('ETag', etag)
  return namesTag(c.req.header('if-none-match'), etag)
}
