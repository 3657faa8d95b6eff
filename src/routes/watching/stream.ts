/** Sends the file of a video to the person: to watch, to seek, to save. */
import { Hono } from 'hono'
import { type Config, isSharing } from '../../config/config.ts'
import { openSubtitles, openVideo } from '../../domain/watching/video-file.ts'
import type { Files } from '../../store/files.ts'
import type { Env } from '../http/context.ts'
import { attachment } from '../http/disposition.ts'
import { type FileSender, types } from '../http/send-file.ts'
import { arriving } from './arriving.ts'

export const stream = (files: Files, config: Partial<Pick<Config, 'SHARE_FILES'>>, sender: FileSender) =>
  new Hono<Env>()
    .route('/', arriving(files, isSharing(config), sender))
    .get('/stream/:video_id', async c => {
      const { file, extension } = await openVideo(c.var.library, files, c.req.param('video_id'))
      return sender.sendFile(c, file, types[extension])
    })

    .get('/stream/:video_id/subtitles/:language', async c => {
      const { video_id, language } = c.req.param()
      return sender.sendFile(c, await openSubtitles(c.var.library, files, video_id, language), types.vtt)
    })

    .get('/download/:video_id', async c => {
      const { video, file, extension } = await openVideo(c.var.library, files, c.req.param('video_id'))
      return sender.sendFile(c, file, types[extension], { 'Content-Disposition': attachment(video.title, extension) })
    })
