/**
 * On loopback: media servers that keep what a person watched, and answer as Jellyfin, Emby and Plex do.
 *
 * The forms of the answers are from recorded ones: the items of Jellyfin and Emby in the tests of embykeeper and WatchState, the metadata
 * of Plex in those of its webhooks and of python-plexapi. What a request changes is from Jellyfin's UserDataManager, and from what
 * WatchState and python-plexapi say of `/:/timeline`.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { MediaServerKind } from '../../../src/schema/media/media-server.ts'
import { type Site, siteWith } from './feed-site.ts'

export type Film = {
  id: string
  file: string
  duration_s: number
  is_watched: boolean
  position_s: number
  at: Date | null
  plays: number
  is_favorite: boolean
}

export type WatchedServer = Site & {
  key: string
  films: Film[]
  /** The folders that the library has. */
  locations: string[]
  people: { Id: string; Name: string }[]
  /** What was asked to be read again: folders, or `all`. */
  readings: string[]
  /** Requests that change what was watched. */
  marks: string[]
  is_away: boolean
  /** How it stores a position. */
  round(seconds: number): number
  add(file: string, state?: Partial<Film>): Film
  /** What it knows of the film whose path has this in it. */
  film(part: string): Film
}

const hour_s = 3600
let made = 0

export async function watchedServer(kind: MediaServerKind, key = 'the-key-of-the-server'): Promise<WatchedServer> {
  const server = {
    key,
    films: [],
    locations: [],
    people: [{ Id: 'u1', Name: 'Alice' }],
    readings: [],
    marks: [],
    is_away: false,
    round: (seconds: number) => seconds,
    add(file: string, state: Partial<Film> = {}) {
      made += 1
      const film = { id: `${made}`, file, duration_s: hour_s, is_watched: false, position_s: 0, at: null, plays: 0 }
      server.films.push({ ...film, is_favorite: false, ...state })
      return server.film(file)
    },
    film: (part: string) => server.films.find(({ file }) => file.includes(part)) ?? missing(part),
  } as unknown as WatchedServer
  const answer = kind === 'plex' ? plex : jellyfin
  const site = await siteWith((asked, reply) => {
    if (server.is_away) return void asked.socket.destroy()
    answer(server, kind, asked, reply).catch(() => reply.writeHead(500).end('a fault with the-key-of-the-server in it'))
  })
  return Object.assign(server, site)
}

function missing(part: string): never {
  throw new Error(`the server has no ${part}`)
}

const send = (reply: ServerResponse, body?: unknown) =>
  void reply
    .writeHead(body === undefined ? 204 : 200, { 'content-type': 'application/json' })
    .end(body === undefined ? undefined : JSON.stringify(body))

async function jellyfin(server: WatchedServer, kind: MediaServerKind, asked: IncomingMessage, reply: ServerResponse) {
  const { pathname, searchParams: query } = new URL(asked.url ?? '/', server.url)
  const path = kind === 'emby' ? pathname.replace(/^\/emby\//, '/') : pathname
  const { authorization, 'x-emby-token': token } = asked.headers
  const is_open = kind === 'emby' ? token === server.key : authorization === `MediaBrowser Token="${server.key}"`
  if (!is_open) return void reply.writeHead(401).end(`the key ${authorization ?? token} is wrong`)
  const route = `${asked.method} ${path}`
  if (route === 'GET /Users') return send(reply, server.people)
  if (route === (kind === 'emby' ? 'GET /Library/VirtualFolders/Query' : 'GET /Library/VirtualFolders')) {
    const folder = { Name: 'Videos', Locations: server.locations, CollectionType: 'tvshows', ItemId: 'lib1' }
    const other = { Name: 'Films', Locations: ['/films'], CollectionType: 'movies', ItemId: 'lib2' }
    return send(reply, kind === 'emby' ? { Items: [other, folder], TotalRecordCount: 2 } : [other, folder])
  }
  if (route === 'POST /Library/Refresh') {
    server.readings.push('all')
    return send(reply)
  }
  if (route === 'POST /Library/Media/Updated') {
    const { Updates } = JSON.parse(await text(asked)) as { Updates: { Path: string }[] }
    server.readings.push(...Updates.map(({ Path }) => Path))
    return send(reply)
  }
  const user = server.people.find(({ Id }) => Id === (query.get('userId') ?? /^\/Users\/([^/]+)/.exec(path)?.[1]))
  if (!user) return void reply.writeHead(404).end()
  if (asked.method === 'GET' && /^\/(Users\/[^/]+\/)?Items$/.test(path)) {
    const [start, limit] = [Number(query.get('StartIndex') ?? 0), Number(query.get('Limit') ?? 100)]
    const ids = query.get('Ids')?.split(',')
    const within = query.get('ParentId') === 'lib1' ? server.locations : ['']
    const found = server.films.filter(
      ({ id, file }) => (!ids || ids.includes(id)) && within.some(folder => file.startsWith(folder)),
    )
    const page = found.slice(start, start + limit).map(film => itemOf(film, user.Id))
    return send(reply, { Items: page, TotalRecordCount: found.length, StartIndex: start })
  }
  const [, id] = /^\/(?:UserItems|Users\/[^/]+\/Items)\/([^/]+)\/UserData$/.exec(path) ?? []
  const film = server.films.find(one => one.id === id)
  if (asked.method !== 'POST' || !film) return void reply.writeHead(404).end()
  server.marks.push(`${asked.method} ${path}`)
  const data = JSON.parse(await text(asked)) as Record<string, unknown>
  // Emby takes a missing value for `false`.
  film.is_favorite = Boolean(data.IsFavorite ?? (kind === 'emby' ? false : film.is_favorite))
  film.is_watched = Boolean(data.Played ?? film.is_watched)
  film.position_s = server.round(Number(data.PlaybackPositionTicks ?? film.position_s * 1e7) / 1e7)
  if (data.LastPlayedDate) film.at = new Date(String(data.LastPlayedDate))
  return kind === 'emby' ? send(reply) : send(reply, itemOf(film, user.Id).UserData)
}

const itemOf = ({ id, file, duration_s, is_watched, position_s, at, plays, is_favorite }: Film, user: string) => ({
  Name: file.split('/').at(-1),
  ServerId: '0c2a3f5e9b',
  Id: id,
  Path: file,
  RunTimeTicks: duration_s * 1e7,
  Type: 'Episode',
  MediaType: 'Video',
  UserData: {
    ...(position_s > 0 && { PlayedPercentage: (100 * position_s) / duration_s }),
    PlaybackPositionTicks: position_s * 1e7,
    PlayCount: plays,
    IsFavorite: is_favorite,
    ...(at && { LastPlayedDate: at.toISOString().replace('Z', '0000Z') }),
    Played: is_watched,
    Key: `${id}-${user}`,
  },
})

async function plex(server: WatchedServer, _: MediaServerKind, asked: IncomingMessage, reply: ServerResponse) {
  const { pathname: path, searchParams: query } = new URL(asked.url ?? '/', server.url)
  const { 'x-plex-token': token, 'x-plex-client-identifier': client } = asked.headers
  if (token !== server.key) return void reply.writeHead(401).end(`<html>${token}</html>`)
  const list = (more: object) => send(reply, { MediaContainer: { size: 1, allowSync: false, ...more } })
  if (path === '/library/sections')
    return list({
      Directory: [
        { key: '1', type: 'artist', title: 'Music', Location: [{ id: 1, path: '/music' }] },
        { key: '2', type: 'movie', title: 'Films', Location: [{ id: 2, path: '/films' }] },
        { key: '3', type: 'show', title: 'Videos', Location: server.locations.map((path, id) => ({ id, path })) },
      ],
    })
  const [, section] = /^\/library\/sections\/(\d)\/refresh$/.exec(path) ?? []
  if (section) {
    server.readings.push(query.get('path') ?? `section ${section}`)
    return void reply.writeHead(200).end()
  }
  if (path === '/library/sections/2/all') return list({ totalSize: 0 })
  if (path === '/library/sections/3/all' && query.get('type') === '4') {
    const start = Number(query.get('X-Plex-Container-Start'))
    const page = server.films.slice(start, start + Number(query.get('X-Plex-Container-Size')))
    return list({ totalSize: server.films.length, offset: start, Metadata: page.map(metadataOf) })
  }
  const ids = /^\/library\/metadata\/([\d,]+)$/.exec(path)?.[1]?.split(',')
  if (ids) return list({ Metadata: server.films.filter(({ id }) => ids.includes(id)).map(metadataOf) })
  const film = server.films.find(({ id }) => id === (query.get('key') ?? '').split('/').at(-1))
  if (!path.startsWith('/:/') || !film || query.get('identifier') !== 'com.plexapp.plugins.library')
    return void reply.writeHead(404).end()
  server.marks.push(path)
  if (path === '/:/scrobble')
    Object.assign(film, { is_watched: true, position_s: 0, at: new Date(), plays: film.plays + 1 })
  if (path === '/:/unscrobble') Object.assign(film, { is_watched: false, position_s: 0, at: null, plays: 0 })
  // Without a client and a length, it ignores the position, and always one within the first minute.
  if (path === '/:/timeline' && client && Number(query.get('duration')) > 0 && Number(query.get('time')) >= 60_000)
    Object.assign(film, { position_s: server.round(Number(query.get('time')) / 1000), at: new Date() })
  return void reply.writeHead(200).end()
}

const metadataOf = ({ id, file, duration_s, is_watched, position_s, at, plays }: Film) => ({
  ratingKey: id,
  key: `/library/metadata/${id}`,
  guid: `local://${id}`,
  type: 'episode',
  title: file.split('/').at(-1),
  ...(position_s > 0 && { viewOffset: Math.round(position_s * 1000) }),
  ...(is_watched && { viewCount: Math.max(1, plays) }),
  ...(at && { lastViewedAt: Math.floor(at.getTime() / 1000) }),
  duration: duration_s * 1000,
  addedAt: 1_694_320_000,
  Media: [
    { id: 1, duration: duration_s * 1000, container: 'mp4', Part: [{ id: 1, key: `/library/parts/${id}`, file }] },
  ],
})
