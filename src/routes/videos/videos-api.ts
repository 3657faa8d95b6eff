/** The videos of all channels, adding single ones, and whether they were watched, as JSON. */
import { Hono } from 'hono'
import { addVideo, forgetVideo, SeveralVideos } from '../../domain/videos/added-videos.ts'
import { markAllWatched, noteViewing } from '../../domain/watching/viewings.ts'
import { DomainError } from '../../errors.ts'
import type { BinLimits } from '../../schema/bin/bin.ts'
import { Video } from '../../schema/videos/video.ts'
import { AddVideoRequest, NewestQuery, Unfinished, Videos } from '../../schema/videos/video-api.ts'
import {
  UnwatchedRequest,
  UnwatchedResult,
  ViewingRequest,
  WatchedRequest,
  WatchedResult,
} from '../../schema/videos/viewing.ts'
import type { Files } from '../../store/files.ts'
import type { VideoLooker } from '../../ytdlp/run/look-at.ts'
import type { Env } from '../http/context.ts'
import { describeRoute, validJson, validQuery } from '../http/operation.ts'
import { serializedAnswer } from '../http/serialized-answer.ts'
import { atField } from '../http/valid.ts'

const most_unfinished = 50

/** `lookAt`: asks what the address of a video is. */
type Deps = { files: Files; bin: BinLimits; lookAt: VideoLooker }

export const videos = ({ files, bin, lookAt }: Deps) =>
  new Hono<Env>()
    .get(
      '/videos',
      describeRoute({
        summary: 'List the newest videos of all channels',
        description: 'All parameters together decide which videos are listed. An absent one excludes nothing.',
        responses: { 200: { description: 'One page, newest first', schema: Videos } },
      }),
      validQuery(NewestQuery),
      async c => serializedAnswer(c, await c.var.library.videos.list(c.req.valid('query'))),
    )

    .post(
      '/videos',
      describeRoute({
        summary: 'Add one video by its address, without following its channel',
        description:
          'The site of a new video is asked before the response is sent. The video stays when you unfollow its channel. A live stream or premiere is added too; it can be downloaded later.',
        responses: {
          201: { description: 'The video is in your library now', schema: Video },
          200: { description: 'The video was in your library already', schema: Video },
        },
        errors: [502, 504],
      }),
      validJson(AddVideoRequest),
      async c => {
        const { url, download } = c.req.valid('json')
        const deps = { library: c.var.library, files, lookAt }
        const { video, created } = await atField('url', addVideo(deps, url, { download }).catch(sayHowToFollow))
        return c.json(video, created ? 201 : 200)
      },
    )

    .delete(
      '/videos/:video_id',
      describeRoute({
        summary: 'Remove a video that you added by its address, with its file',
        responses: { 204: { description: 'Removed', schema: null } },
        errors: [409],
      }),
      async c => {
        await forgetVideo(c.var.library, files, c.req.param('video_id'), bin)
        return c.body(null, 204)
      },
    )

    .get(
      '/videos/unfinished',
      describeRoute({
        summary: 'List the videos on disk that you started and did not finish',
        responses: { 200: { description: 'The last played first, at most 50', schema: Unfinished } },
      }),
      async c => c.json({ entries: await c.var.library.viewings.unfinished(most_unfinished) }),
    )

    .post(
      '/videos/seen',
      describeRoute({
        summary: 'Mark all videos as watched that appeared before a time',
        responses: { 200: { description: 'How many were marked, and the time that undoes it', schema: WatchedResult } },
        errors: [404],
      }),
      validJson(WatchedRequest),
      async c => c.json(await markAllWatched(c.var.library, c.req.valid('json'), new Date())),
    )

    .post(
      '/videos/unseen',
      describeRoute({
        summary: 'Undo marking videos as watched',
        responses: { 200: { description: 'How many were marked as unwatched', schema: UnwatchedResult } },
      }),
      validJson(UnwatchedRequest),
      async c => c.json({ unmarked: await c.var.library.viewings.unmarkAll(c.req.valid('json').seen_at) }),
    )

    .put(
      '/videos/:video_id/viewing',
      describeRoute({
        summary: 'Save the playback position, or mark a video as watched or unwatched',
        description: 'A position near the end marks the video as watched.',
        responses: { 200: { description: 'The video', schema: Video } },
      }),
      validJson(ViewingRequest),
      async c => c.json(await noteViewing(c.var.library, c.req.param('video_id'), c.req.valid('json'))),
    )

/** A program gets the request that follows a list, where a person gets a button. */
function sayHowToFollow(fault: unknown): never {
  if (!(fault instanceof SeveralVideos && fault.list.can_follow)) throw fault
  throw new DomainError(fault.code, `${fault.list.sentence} To follow it, POST /api/channels.`, { cause: fault })
}
