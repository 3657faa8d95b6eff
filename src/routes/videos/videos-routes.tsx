/** The videos of all channels or of one, whether they were watched, and adding and removing single ones. */
import { type Context, Hono } from 'hono'
import { channelVideos } from '../../domain/channels/channel-videos.ts'
import { getVideo } from '../../domain/get.ts'
import { type AddedVideo, addVideo, forgetVideo, SeveralVideos } from '../../domain/videos/added-videos.ts'
import { markAllWatched, recordViewing } from '../../domain/watching/viewings.ts'
import { DomainError } from '../../errors.ts'
import { currentTime } from '../../runtime/clock.ts'
import { channelPath, watchPath } from '../../schema/http/paths.ts'
import { Video } from '../../schema/videos/video.ts'
import {
  AddVideoForm,
  AddVideoRequest,
  History,
  NewestQuery,
  Unfinished,
  Videos,
  VideosQuery,
} from '../../schema/videos/video-api.ts'
import {
  UnwatchedRequest,
  UnwatchedResult,
  ViewingRequest,
  WatchedRequest,
  WatchedResult,
} from '../../schema/watching/viewing.ts'
import type { Store } from '../../store/files.ts'
import { AddPage } from '../../views/channels/new-channel-page.tsx'
import type { VideoLooker } from '../../ytdlp/ask/look-at.ts'
import { acknowledge, goTo, undoable } from '../http/answers.tsx'
import type { Env } from '../http/context.ts'
import { created, done, ok, operation, validJson, validQuery } from '../http/operation.ts'
import { pageOf } from '../http/page.ts'
import { atField, errorsAt, formPage, orRefusal, valid } from '../http/valid.ts'

/** `lookAt`: asks what the address of a video is. */
type Deps = { store: Store; lookAt: VideoLooker }

export const videosApi = (deps: Deps) =>
  new Hono<Env>().route('/', listsApi).route('/', addedVideosApi(deps)).route('/', viewingsApi)

/** Videos in the list of unfinished videos. */
const max_unfinished = 50

const listsApi = new Hono<Env>()
  .get(
    '/videos',
    operation('List the newest videos of all channels', ok(Videos, 'One page, newest first'), {
      description: 'All parameters together decide which videos are listed. An absent one excludes nothing.',
    }),
    validQuery(NewestQuery),
    async c => c.json(await c.var.library.videos.list(c.req.valid('query'))),
  )

  .get(
    '/history/:channel_id',
    operation('List every video that ever appeared in a channel, newest first', ok(History, 'One page')),
    validQuery(VideosQuery),
    async c => c.json(await channelVideos(c.var.library, c.req.param('channel_id'), c.req.valid('query'))),
  )

  .get(
    '/videos/unfinished',
    operation(
      'List the videos on disk that you started and did not finish',
      ok(Unfinished, 'The last played first, at most 50'),
    ),
    async c => c.json({ entries: await c.var.library.viewings.unfinished({ limit: max_unfinished }) }),
  )

const addedVideosApi = ({ store, lookAt }: Deps) =>
  new Hono<Env>()
    .post(
      '/videos',
      operation(
        'Add one video by its address, without following its channel',
        {
          ...created(Video, 'The video is in your library now'),
          ...ok(Video, 'The video was in your library already'),
        },
        {
          description:
            'The site of a new video is asked before the response is sent. The video stays when you unfollow its channel. A live stream or premiere is added too; it can be downloaded later.',
          errors: [502, 504],
        },
      ),
      validJson(AddVideoRequest),
      async c => {
        const { url, download } = c.req.valid('json')
        const deps = { library: c.var.library, files: store.files, lookAt }
        const { video, created } = await atField('url', addVideo(deps, url, { download }).catch(sayHowToFollow))
        return c.json(video, created ? 201 : 200)
      },
    )

    .delete(
      '/videos/:video_id',
      operation('Remove a video that you added by its address, with its file', done('Removed'), { errors: [409] }),
      c => acknowledge(c, forgetVideo(c.var.library, store, c.req.param('video_id'))),
    )

/** A program gets the request that follows a list, where a person gets a button. */
function sayHowToFollow(fault: unknown): never {
  if (!(fault instanceof SeveralVideos && fault.list.can_follow)) throw fault
  throw new DomainError(fault.code, `${fault.list.sentence} To follow it, POST /api/channels.`, { cause: fault })
}

const viewingsApi = new Hono<Env>()
  .post(
    '/videos/seen',
    operation(
      'Mark all videos as watched that appeared before a time',
      ok(WatchedResult, 'How many were marked, and the time that undoes it'),
      { errors: [404] },
    ),
    validJson(WatchedRequest),
    async c => c.json(await markAllWatched(c.var.library, c.req.valid('json'), currentTime())),
  )

  .post(
    '/videos/unseen',
    operation('Undo marking videos as watched', ok(UnwatchedResult, 'How many were marked as unwatched')),
    validJson(UnwatchedRequest),
    async c => c.json({ unmarked: await c.var.library.viewings.unmarkAll(c.req.valid('json').seen_at) }),
  )

  .put(
    '/videos/:video_id/viewing',
    operation('Save the playback position, or mark a video as watched or unwatched', ok(Video, 'The video'), {
      description: 'A position near the end marks the video as watched.',
    }),
    validJson(ViewingRequest),
    async c => c.json(await recordViewing(c.var.library, c.req.param('video_id'), c.req.valid('json'))),
  )

/** `lookAt`: asks what the address of a video is. */
export const addedVideoPages = (store: Store, lookAt: VideoLooker) =>
  new Hono<Env>()
    .post(
      '/',
      valid('form', AddVideoForm, (c, refusal) => addAgain(c, refusal, '')),
      async c => {
        const { url, download } = c.req.valid('form')
        const deps = { library: c.var.library, files: store.files, lookAt }
        const added = await orRefusal(addVideo(deps, url, { download: download !== undefined }))
        if (added instanceof DomainError) return addAgain(c, added, url)
        return goTo(c, watchPath(added.video), addedWords(added))
      },
    )

    .post('/:video_id/forget', async c => {
      const { library } = c.var
      const { video_id, channel_id } = await getVideo(library, c.req.param('video_id'))
      await forgetVideo(library, store, video_id)
      const said = undoable('Removed from your library.', store.bin.hours > 0 && { do: 'restore_video', video_id })
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
