/** A person's playlists, and the history of what they watched, as JSON. */
import { Hono } from 'hono'
import { choosePlaylistVideos, deletePlaylist, readPlaylist, renamePlaylist } from '../../domain/watching/playlists.ts'
import { forgetWatched } from '../../domain/watching/watched.ts'
import {
  Playlist,
  PlaylistQuery,
  PlaylistRequest,
  Playlists,
  PlaylistVideos,
  WholePlaylist,
} from '../../schema/videos/playlist.ts'
import { WatchedQuery, WatchedVideos } from '../../schema/videos/watched.ts'
import { acknowledge } from '../http/answers.tsx'
import type { Env } from '../http/context.ts'
import { created, done, ok, operation, validJson, validQuery } from '../http/operation.ts'

export const playlistsApi = new Hono<Env>()
  .get('/playlists', operation('List your playlists', ok(Playlists, 'Ordered by name')), async c => {
    const playlists = await c.var.library.playlists.list()
    return c.json({ playlists: playlists.map(({ picture_url, ...playlist }) => playlist) })
  })

  .post(
    '/playlists',
    operation('Create a playlist', created(Playlist, 'The playlist, which has no videos yet'), { errors: [409] }),
    validJson(PlaylistRequest),
    async c => c.json(await c.var.library.playlists.create(c.req.valid('json').name), 201),
  )

  .get(
    '/playlists/:playlist_id',
    operation('Read a playlist', ok(WholePlaylist, 'The playlist, with one page of its videos')),
    validQuery(PlaylistQuery),
    async c => c.json(await readPlaylist(c.var.library, c.req.param('playlist_id'), c.req.valid('query'))),
  )

  .put(
    '/playlists/:playlist_id',
    operation('Rename a playlist', ok(Playlist, 'The playlist'), { errors: [409] }),
    validJson(PlaylistRequest),
    async c => c.json(await renamePlaylist(c.var.library, c.req.param('playlist_id'), c.req.valid('json').name)),
  )

  .delete(
    '/playlists/:playlist_id',
    operation('Delete a playlist; its videos stay in your library', done('Deleted')),
    c => acknowledge(c, deletePlaylist(c.var.library, c.req.param('playlist_id'))),
  )

  .put(
    '/playlists/:playlist_id/videos',
    operation('Choose the videos of a playlist and their order', ok(Playlist, 'The playlist'), {
      description:
        'Videos that are not named leave the playlist. If one of the videos is not in your library, nothing changes. A video that leaves your library leaves its playlists.',
    }),
    validJson(PlaylistVideos),
    async c => {
      const { video_ids } = c.req.valid('json')
      return c.json(await choosePlaylistVideos(c.var.library, c.req.param('playlist_id'), video_ids))
    },
  )

  .get(
    '/watched',
    operation('List what you have watched, the last one first', ok(WatchedVideos, 'One page'), {
      description: 'The videos of your library that you played or marked as watched.',
    }),
    validQuery(WatchedQuery),
    async c => c.json(await c.var.library.watched.list(c.req.valid('query'))),
  )

  .delete(
    '/watched/:video_id',
    operation('Remove a video from your history', done('Removed, or it was not there'), {
      description:
        'It leaves "Continue watching" too, and its position is forgotten. It stays marked as watched. It returns when you watch it again.',
    }),
    c => acknowledge(c, forgetWatched(c.var.library, c.req.param('video_id'))),
  )
