/** A person's playlists, the choice of a playlist for videos, and the list of what they watched for programs. */
import { type Context, Hono } from 'hono'
import { getVideo } from '../../domain/get.ts'
import {
  addToNewPlaylist,
  addToPlaylist,
  choosePlaylistVideos,
  deletePlaylist,
  putBackInPlaylist,
  putInPlaylist,
  readPlaylist,
  renamePlaylist,
  restorePlaylist,
  showPlaylist,
  takeBackFromPlaylist,
  takeFromPlaylist,
} from '../../domain/watching/playlists.ts'
import { forgetWatched } from '../../domain/watching/viewings.ts'
import { DomainError } from '../../errors.ts'
import type { Flash } from '../../schema/http/flash.ts'
import { playlistPath, playlists_path } from '../../schema/http/paths.ts'
import { countWords, isolated } from '../../schema/values/words.ts'
import {
  NewPlaylistForm,
  PlaceForm,
  Playlist,
  PlaylistForm,
  PlaylistPageQuery,
  PlaylistQuery,
  PlaylistRequest,
  Playlists,
  PlaylistVideos,
  PutBackForm,
  TakeBackForm,
  VideosForPlaylist,
  WholePlaylist,
} from '../../schema/watching/playlist.ts'
import { WatchedQuery, WatchedVideos } from '../../schema/watching/watch-history.ts'
import { RowGone } from '../../views/watching/own-row.tsx'
import { ChoosePlaylistPage, PlaylistChoices } from '../../views/watching/playlist-choice.tsx'
import { PlaylistPage, PlaylistsPage } from '../../views/watching/playlists-page.tsx'
import {
  acknowledge,
  back,
  changed,
  goTo,
  nothing_selected,
  restored,
  type Said,
  setFlash,
  undoable,
} from '../http/answers.tsx'
import { type Env, isFragment } from '../http/context.ts'
import { created, done, ok, operation, validJson, validQuery } from '../http/operation.ts'
import { columnFor, pageOf } from '../http/page.ts'
import { pageBefore } from '../http/redirects.ts'
import { errorsAt, type FormFields, formPage, orRefusal, textIn, valid } from '../http/valid.ts'

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

/** Choosing a playlist for videos. Must come before the routes that begin with the id of a playlist. */
const choosingPages = new Hono<Env>()
  .get('/playlists/choose', valid('query', VideosForPlaylist), async c => {
    const { video_id } = c.req.valid('query')
    // The page of selected videos has no address that names them.
    return video_id.length === 0 ? c.redirect(playlists_path, 303) : choicePage(c, video_id)
  })

  // From the bar of selected videos, whose ids may be too many for an address.
  .post('/playlists/choose', valid('form', VideosForPlaylist), c => {
    const { video_id } = c.req.valid('form')
    return video_id.length === 0 ? back(c, '/', nothing_selected) : choicePage(c, video_id)
  })

  .post('/playlists/choose/new', valid('form', NewPlaylistForm), async c => {
    const { name, video_id } = c.req.valid('form')
    const made = await orRefusal(addToNewPlaylist(c.var.library, name, video_id), ['conflict', 'invalid'])
    if (!(made instanceof DomainError)) return added(c, made)
    if (!isFragment(c)) return choicePage(c, video_id, { name, error: made.message })
    return changed(c, { parts: () => null, flash: made, otherwise: '/' })
  })

export const playlistPages = new Hono<Env>()
  .get('/playlists', c => playlistsPage(c))

  .post('/playlists', valid('form', PlaylistForm, playlistsPage), async c => {
    const form = c.req.valid('form')
    const playlist = await orRefusal(c.var.library.playlists.create(form.name), ['conflict', 'invalid'])
    if (playlist instanceof DomainError) return playlistsPage(c, playlist, form)
    return c.redirect(playlistPath(playlist), 303)
  })

  .route('/', choosingPages)

  .get('/playlists/:playlist_id', c => playlistPage(c))

  .post('/playlists/:playlist_id', valid('form', PlaylistForm, playlistPage), async c => {
    const form = c.req.valid('form')
    const renaming = renamePlaylist(c.var.library, c.req.param('playlist_id'), form.name)
    const renamed = await orRefusal(renaming, ['conflict'])
    if (renamed instanceof DomainError) return playlistPage(c, renamed, form)
    return c.redirect(playlistPath(renamed), 303)
  })

  .post('/playlists/:playlist_id/delete', async c => {
    const playlist_id = c.req.param('playlist_id')
    const { name } = await deletePlaylist(c.var.library, playlist_id)
    const text = `Deleted the playlist ${isolated(name)}. Its videos stay.`
    return goTo(c, playlists_path, undoable(text, { do: 'restore_playlist', playlist_id }))
  })

  .post('/playlists/:playlist_id/restore', c =>
    restored(c, 'playlist', restorePlaylist(c.var.library, c.req.param('playlist_id')), playlists_path),
  )

  .post('/playlists/:playlist_id/add', valid('form', VideosForPlaylist), async c => {
    const { video_id } = c.req.valid('form')
    return added(c, await addToPlaylist(c.var.library, c.req.param('playlist_id'), video_id))
  })

  .post('/playlists/:playlist_id/take-back', valid('form', TakeBackForm), async c => {
    const taken = await takeBackFromPlaylist(c.var.library, c.req.param('playlist_id'), c.req.valid('form').added_at)
    return undone(c, `${countWords(taken, 'video')} removed again.`)
  })

  .post('/playlists/:playlist_id/remove', valid('form', VideosForPlaylist), async c => {
    const playlist_id = c.req.param('playlist_id')
    const { video_id } = c.req.valid('form')
    if (video_id.length === 0) return back(c, playlistPath({ playlist_id }), nothing_selected)
    const { name, removed, removed_at } = await takeFromPlaylist(c.var.library, playlist_id, video_id)
    const text = `${removed > 1 ? `${countWords(removed, 'video')} removed` : 'Removed'} from ${isolated(name)}.`
    const flash = undoable(text, removed > 0 && { do: 'put_back', playlist_id, removed_at })
    const is_here = isOnPlaylist(c, playlist_id)
    if (!isFragment(c) && !is_here) return goTo(c, playlistPath({ playlist_id }), flash)
    // In the menu of a video on another page, the playlist is chosen, and the page stays as it is.
    const gone = is_here ? video_id : []
    const parts = () => gone.map(id => <RowGone video_id={id} />)
    return changed(c, { parts, flash, otherwise: playlistPath({ playlist_id }) })
  })

  .post('/playlists/:playlist_id/put-back', valid('form', PutBackForm), async c => {
    const put = await putBackInPlaylist(c.var.library, c.req.param('playlist_id'), c.req.valid('form').removed_at)
    return undone(c, `${countWords(put, 'video')} put back.`)
  })

  .post('/playlists/:playlist_id/place', valid('form', PlaceForm), async c => {
    const { video_id, to } = c.req.valid('form')
    await putInPlaylist(c.var.library, c.req.param('playlist_id'), video_id, to)
    return isFragment(c) ? c.body(null, 204) : back(c, playlistPath({ playlist_id: c.req.param('playlist_id') }))
  })

const nothing_found: Flash = { kind: 'problem', text: 'There is no such video in your library.' }

/** The page that the request came from is that of this playlist, or of any. */
const isOnPlaylist = (c: Context<Env>, playlist_id = ''): boolean =>
  pageBefore(c.req.header('referer'), c.var.here, '').startsWith(`${playlists_path}/${playlist_id}`)

/** A playlist is shown again with the videos that it has now. Any other page stays, so that a video keeps playing. */
function undone(c: Context<Env>, flash: Said): Response | Promise<Response> {
  if (!isFragment(c) || !isOnPlaylist(c)) return changed(c, { parts: () => null, flash, otherwise: playlists_path })
  setFlash(c, flash)
  return c.body(null, 204, { 'HX-Refresh': 'true' })
}

type Added = Awaited<ReturnType<typeof addToPlaylist>>

function added(c: Context<Env>, playlist: Added): Response | Promise<Response> {
  const { name, found, added, added_at, playlist_id } = playlist
  const undo = { do: 'take_from_playlist', playlist_id, added_at } as const
  const flash: Said =
    found === 0
      ? nothing_found
      : added === 0
        ? `Already in ${isolated(name)}.`
        : undoable(`${added === 1 ? 'Added' : `${countWords(added, 'video')} added`} to ${isolated(name)}.`, undo)
  if (isFragment(c)) return changed(c, { parts: () => null, flash, otherwise: '/' })
  return goTo(c, playlistPath({ playlist_id }), flash)
}

async function choicePage(
  c: Context<Env>,
  video_ids: string[],
  refused: { name?: string; error?: string } = {},
): Promise<Response> {
  const { library } = c.var
  const [only, ...others] = video_ids
  const title = only !== undefined && others.length === 0 ? (await getVideo(library, only)).title : undefined
  const choices = { playlists: await library.playlists.choices(video_ids), video_ids, ...refused }
  if (isFragment(c)) return c.render(<PlaylistChoices {...choices} />)
  return c.render(<ChoosePlaylistPage page={pageOf(c)} column={await columnFor(c)} title={title} {...choices} />)
}

async function playlistsPage(c: Context<Env>, refusal?: DomainError, fields: FormFields = {}): Promise<Response> {
  const [playlists, column] = await Promise.all([c.var.library.playlists.list(), columnFor(c)])
  const form = { column, name: textIn(fields.name), errors: errorsAt('name', refusal) }
  return formPage(c, <PlaylistsPage page={pageOf(c)} playlists={playlists} {...form} />, refusal)
}

async function playlistPage(c: Context<Env>, refusal?: DomainError, fields: FormFields = {}): Promise<Response> {
  const { library } = c.var
  const playlist_id = c.req.param('playlist_id') ?? ''
  const { cursor, select } = PlaylistPageQuery.parse(c.req.query())
  const shown = await showPlaylist(library, playlist_id, { limit: 100, cursor })
  const [column, [plays]] = await Promise.all([
    columnFor(c),
    library.playlists.videoIds(playlist_id, { on_disk: true }),
  ])
  const form = { column, name: textIn(fields.name, shown.playlist.name), errors: errorsAt('name', refusal), select }
  return formPage(c, <PlaylistPage page={pageOf(c)} shown={shown} plays={plays} {...form} />, refusal)
}
