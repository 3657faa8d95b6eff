/** Adding a single video by its address, and removing it again. */
import { type Context, Hono } from 'hono'
import { getVideo } from '../../domain/get.ts'
import { type AddedVideo, addVideo, forgetVideo } from '../../domain/videos/added-videos.ts'
import { DomainError } from '../../errors.ts'
import type { BinLimits } from '../../schema/bin/bin.ts'
import { AddVideoForm } from '../../schema/videos/video-api.ts'
import type { Files } from '../../store/files.ts'
import { AddPage } from '../../views/channels/new-channel-page.tsx'
import { channelPath, watchPath } from '../../views/ui/paths.ts'
import type { VideoLooker } from '../../ytdlp/ask/look-at.ts'
import { goTo, undoable } from '../http/answers.tsx'
import type { Env } from '../http/context.ts'
import { pageOf } from '../http/page.ts'
import { errorsAt, formPage, orRefusal, valid } from '../http/valid.ts'

/** `lookAt`: asks what the address of a video is. */
export const addedVideoPages = (files: Files, bin: BinLimits, lookAt: VideoLooker) =>
  new Hono<Env>()
    .post(
      '/',
      valid('form', AddVideoForm, (c, refusal) => addAgain(c, refusal, '')),
      async c => {
        const { url, download } = c.req.valid('form')
        const deps = { library: c.var.library, files, lookAt }
        const added = await orRefusal(addVideo(deps, url, { download: download !== undefined }))
        if (added instanceof DomainError) return addAgain(c, added, url)
        return goTo(c, watchPath(added.video), addedWords(added))
      },
    )

    .post('/:video_id/forget', async c => {
      const { library } = c.var
      const { video_id, channel_id } = await getVideo(library, c.req.param('video_id'))
      await forgetVideo(library, files, video_id, bin)
      const said = undoable('Removed from your library.', bin.hours > 0 && { do: 'restore_video', video_id })
      const has_more = await library.channels.find(channel_id)
      return goTo(c, has_more ? channelPath({ channel_id }) : '/', said)
    })

const addAgain = (c: Context<Env>, refusal: DomainError, url: string) =>
  formPage(c, <AddPage page={pageOf(c)} url={url} error={errorsAt('url', refusal).url} />, refusal)

function addedWords({ created, request }: AddedVideo): string {
  const has = created ? 'Added to your library.' : 'You have this video already.'
  switch (request) {
    case 'queued':
      return `${has} The download is queued.`
    case 'already_queued':
      return `${has} Its download is queued.`
    case 'already_completed':
      return `${has} It is on disk.`
    case 'not_found':
    case undefined:
      return has
  }
}
