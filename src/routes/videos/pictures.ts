/**
 * Sends stored pictures, and tells a page which of the pictures that it misses are stored by now. The path of a picture contains a random
 * id, and what is stored there never changes, so browsers keep it for a year, and
 * neither the database nor the owner is needed to find it. Pictures are small: they are read as a whole and do not count as open files.
 */
import { type Context, Hono } from 'hono'
import { z } from 'zod'
import type { PictureWishes } from '../../db/queue/picture-plans.ts'
import { PictureSize, pictureFormat } from '../../schema/values/picture.ts'
import { PicturesQuery } from '../../schema/videos/video-api.ts'
import type { Files } from '../../store/files.ts'
import { picturePath } from '../../store/paths.ts'
import type { Env } from '../http/context.ts'
import { namesTag } from '../http/tags.ts'
import { valid } from '../http/valid.ts'

const Path = z.object({ picture_id: z.uuid().lowercase(), size: PictureSize })

export const pictures = (files: Files, wishes: PictureWishes) =>
  new Hono<Env>().get('/pictures/:picture_id/:size', async c => {
    const { data: path } = Path.safeParse(c.req.param())
    if (!path) return missing(c)
    const { picture_id, size } = path
    const etag = `"${picture_id}-${size}"`
    const is_known = namesTag(c.req.header('if-none-match'), etag)
    const bytes = is_known ? undefined : await files.read(picturePath(picture_id, size))
    const format = bytes && pictureFormat(bytes)
    if (!is_known && !format) {
      await wishes.wish(picture_id)
      return missing(c)
    }
    c.header('Cache-Control', 'private, max-age=31536000, immutable')
    c.header('ETag', etag)
    if (!bytes) return c.body(null, 304)
    return c.body(bytes, 200, { 'Content-Type': `image/${format}` })
  })

/** No page for people: pages request pictures. */
const missing = (c: Context<Env>) => c.body(null, 404, { 'Cache-Control': 'private, no-store' })

/**
 * `static/page/pictures.js` asks, a few times at most. Answers `{ stored: [{ kind, id, picture_url }], is_coming }`. `is_coming`: others
 * may be stored soon; they are fetched first.
 */
export const missingPictures = (wishes: PictureWishes) =>
  new Hono<Env>().get('/pictures', valid('query', PicturesQuery), async c => {
    const { video_id: video_ids, channel_id: channel_ids } = c.req.valid('query')
    const pictures = await c.var.library.pictures.find({ video_ids, channel_ids })
    const coming = pictures.filter(({ picture_url }) => picture_url === null)
    await Promise.all(
      coming.map(({ kind, url, picture_id }) => (picture_id ? wishes.wish(picture_id) : wishes.wishFor(kind, url))),
    )
    const stored = pictures.flatMap(({ kind, id, picture_url }) => (picture_url ? [{ kind, id, picture_url }] : []))
    return c.json({ stored, is_coming: coming.length > 0 })
  })
