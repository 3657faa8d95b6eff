/** What a link to a video opens: the file with its subtitles or, for another person, a page with a player. */
import { type Context, Hono } from 'hono'
import { getVideo } from '../../domain/get.ts'
import { fileNameOf } from '../../domain/links/links.ts'
import { openSubtitles, openVideo } from '../../domain/watching/video-file.ts'
import { nothingHere } from '../../errors.ts'
import { closeSource } from '../../runtime/sending.ts'
import { pictureFormat } from '../../schema/values/picture.ts'
import type { Files } from '../../store/files.ts'
import { picturePath } from '../../store/paths.ts'
import { poster_name, SharePage } from '../../views/links/share-page.tsx'
import type { Env } from '../http/context.ts'
import { type FileSender, types } from '../http/send-file.ts'

export const shared = (files: Files, { sendLinked }: FileSender) =>
  new Hono<Env>()
    .get('/s/:secret', async c => {
      if (c.get('link').kind !== 'share') throw nothingHere()
      // There is no page without the file.
      const { video, file } = await openVideo(c.get('library'), files, videoIdOf(c))
      await closeSource(file.source)
      const file_name = fileNameOf(video) ?? ''
      return c.render(<SharePage versions={c.get('versions')} video={video} file_name={file_name} path={c.req.path} />)
    })

    .get('/s/:secret/:name', async c => {
      const name = c.req.param('name')
      const [, language] = /^(.*)\.vtt$/s.exec(name) ?? []
      if (language !== undefined)
        return sendLinked(c, await openSubtitles(c.get('library'), files, videoIdOf(c), language), types.vtt)
      if (name === poster_name) return sendPoster(c, files)
      const { video, file, extension } = await openVideo(c.get('library'), files, videoIdOf(c))
      if (name === fileNameOf(video)) return sendLinked(c, file, types[extension])
      await closeSource(file.source)
      throw nothingHere()
    })

/** Like everything that the link opens, the picture is there only while the video is on disk. */
async function sendPoster(c: Context<Env>, files: Files): Promise<Response> {
  const { picture_url, download_path } = await getVideo(c.get('library'), videoIdOf(c))
  const [, , picture_id] = picture_url?.split('/') ?? []
  const bytes = picture_id && download_path ? await files.read(picturePath(picture_id, 'large')) : undefined
  const format = bytes && pictureFormat(bytes)
  if (!format) throw nothingHere()
  return c.body(bytes, 200, { 'Content-Type': `image/${format}` })
}

const videoIdOf = (c: Context<Env>): string => c.get('link').opens.video_id ?? ''
