/** Tells a page which of the pictures that it misses are stored by now. `static/page/pictures.js` asks, a few times at most. */
import { Hono } from 'hono'
import type { PictureWishes } from '../../db/queue/pictures.ts'
import { PicturesQuery } from '../../schema/videos/video-api.ts'
import type { Env } from '../http/context.ts'
import { valid } from '../http/valid.ts'

/** Answers `{ stored: [{ kind, id, picture_url }], is_coming }`. `is_coming`: others may be stored soon; they are fetched first. */
export const missingPictures = (wishes: PictureWishes) =>
  new Hono<Env>().get('/pictures', valid('query', PicturesQuery), async c => {
    const { video_id: video_ids, channel_id: channel_ids } = c.req.valid('query')
    const found = await c.var.library.pictures.find({ video_ids, channel_ids })
    const coming = found.filter(({ picture_url }) => picture_url === null)
    await Promise.all(
      coming.map(({ kind, url, picture_id }) => (picture_id ? wishes.wish(picture_id) : wishes.wishFor(kind, url))),
    )
    const stored = found.flatMap(({ kind, id, picture_url }) => (picture_url ? [{ kind, id, picture_url }] : []))
    return c.json({ stored, is_coming: coming.length > 0 })
  })
