/**
 * A small YouTube on loopback, for the real yt-dlp and our own feed reader: channels with tabs, playlists, feeds, videos that play
 * and videos that do not. It counts its requests and can refuse or hold them. A test reaches it through `policy`, which
 * connects YouTube's names to it, and trusts its certificate through `tools`.
 */
import { createReadStream, readFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { fileURLToPath } from 'node:url'
import type { AddressPolicy } from '../../../src/net/addresses.ts'
import type { Tools } from '../../../src/ytdlp/process/programs.ts'
import { filmsSettled, getFilm } from './films.ts'
import type { SmallChannel, SmallPlaylist, SmallVideo } from './small-youtube/catalogue.ts'
import { atomOf, type FeedOf } from './small-youtube/feeds.ts'
import { filmAt } from './small-youtube/formats.ts'
import { channelData, nextPage, playlistData, playlistItems, tabItems } from './small-youtube/lists.ts'
import { policyFor } from './small-youtube/policy.ts'
import { searchData } from './small-youtube/search.ts'
import { captionText, pageWith, playerOf, watchData } from './small-youtube/videos.ts'

export { smallChannel, smallVideo } from './small-youtube/catalogue.ts'

/** One request. `page`: the token of a further page of a list, such as `tab UC… videos 30`. */
export type Asked = {
  host: string
  path: string
  search: string
  page?: string | undefined
  /** Only requests that have cookies. */
  cookie?: string
}

/** `reason`: after the status. In every text that it sends, `{cookie}` is what it got as cookies. */
type Fault = { status: number; text?: string; reason?: string; times?: number }

export type SmallYoutube = {
  /** May be changed while the test runs. */
  channels: SmallChannel[]
  playlists: SmallPlaylist[]
  /** Throws when there is no such video. What is returned may be changed. */
  video(id: string): SmallVideo
  requests: Asked[]
  /** The value of the cookie `LOGIN_INFO` that is signed in, as a member of every channel. */
  login: string
  /** How many requests each host and path got: `{ 'www.youtube.com /watch': 3 }`. */
  counts(): Record<string, number>
  /** Answers requests whose host, path, query and page contain `mark` with a fault, until the function that is returned is called. */
  fail(mark: string, fault: Fault): () => void
  /** Leaves such requests without an answer, until the function that is returned is called. */
  hold(mark: string): () => void
  port: number
  /** Connects YouTube's names to this server, and judges all others as usual. */
  policy(allowed?: string[]): AddressPolicy
  /** The same tools, which trust this server and no other. */
  tools(tools: Tools): Tools
  /** For processes of the service (`role-with-youtube.ts`). */
  env: Record<string, string>
  close(): Promise<void>
}

const at = (name: string) => fileURLToPath(new URL(`small-youtube/${name}`, import.meta.url))

/** The certificate authority of this server. Its key was thrown away. */
export const small_youtube_ca = at('ca.pem')

/** Also makes this process trust the server until it is closed, for our own feed reader. */
export async function openSmallYoutube(...channels: SmallChannel[]): Promise<SmallYoutube> {
  const playlists: SmallPlaylist[] = []
  const requests: Asked[] = []
  const account = { login: 'AFmmF2sw-a-small-login' }
  const faults = new Map<symbol, Fault & { mark: string }>()
  const held = new Map<symbol, { mark: string; freed: Promise<void>; free(): void }>()
  const trusted_before = getCACertificates('default')
  setDefaultCACertificates([...trusted_before, readFileSync(small_youtube_ca, 'utf8')])

  const find = (id: string) => {
    for (const channel of channels) {
      const video = channel.videos.find(one => one.id === id)
      if (video) return { video, channel }
    }
    return undefined
  }

  const answer = async (request: IncomingMessage, reply: ServerResponse) => {
    const url = new URL(request.url ?? '/', `https://${request.headers.host}`)
    const body = JSON.parse((await textOf(request)) || '{}') as Body
    const { cookie } = request.headers
    const asked = { host: url.hostname, path: url.pathname, search: url.search, page: body.continuation }
    requests.push({ ...asked, ...(cookie !== undefined && { cookie }) })
    const login = /\bLOGIN_INFO=([^;]*)/.exec(cookie ?? '')?.[1]
    // As YouTube does with a sign-in that has ended.
    if (login !== undefined && login !== account.login)
      reply.setHeader('set-cookie', 'LOGIN_INFO=; Domain=.youtube.com; Path=/; Max-Age=0; Secure')
    const marks = [asked.host, asked.path, asked.search, asked.page, body.videoId].join(' ')
    for (const { mark, freed } of held.values()) if (marks.includes(mark)) await freed
    const fault = faults.values().find(({ mark, times }) => marks.includes(mark) && times !== 0)
    if (fault?.times) fault.times -= 1
    const send = sendTo(reply, cookie)
    if (fault) return send(fault.status, 'text/html', fault.text ?? '<html>Sorry</html>', fault.reason)
    if (url.pathname === '/videoplayback') {
      const video = find(url.searchParams.get('id') ?? '')?.video
      const film = video?.film ?? (video ? `plain-of-${video.seconds}.mp4` : 'plain.mp4')
      return play(request, reply, await getFilm(filmAt(url.searchParams) ?? `/${film}`))
    }
    if (isPicture(url)) return play(request, reply, await getFilm('/picture.jpg'), 'image/jpeg')
    const found = await answerTo(url, body, { channels, playlists, find, is_signed_in: login === account.login })
    if (typeof found === 'string') return send(200, found.startsWith('<?xml') ? 'text/xml' : 'text/html', found)
    if (found) return send(200, 'application/json', JSON.stringify(found))
    const missing = { error: { code: 404, message: 'Requested entity was not found.' } }
    return send(404, 'application/json', JSON.stringify(missing))
  }
  const server = createServer(
    { key: readFileSync(at('site.key')), cert: readFileSync(at('site.pem')) },
    (asked, reply) => {
      answer(asked, reply).catch(() => reply.destroy())
    },
  )
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  return {
    channels,
    playlists,
    requests,
    port,
    get login() {
      return account.login
    },
    set login(value) {
      account.login = value
    },
    video(id) {
      const found = find(id)
      if (!found) throw new Error(`the small YouTube has no video ${id}`)
      return found.video
    },
    counts() {
      const counts: Record<string, number> = {}
      for (const { host, path } of requests) counts[`${host} ${path}`] = (counts[`${host} ${path}`] ?? 0) + 1
      return counts
    },
    fail(mark, fault) {
      const key = Symbol(mark)
      faults.set(key, { mark, ...fault })
      return () => void faults.delete(key)
    },
    hold(mark) {
      const key = Symbol(mark)
      const { promise: freed, resolve: free } = Promise.withResolvers<void>()
      held.set(key, { mark, freed, free })
      return () => {
        held.delete(key)
        free()
      }
    },
    policy: (allowed = []) => policyFor(port, allowed),
    tools: tools => ({ ...tools, system_env: { ...tools.system_env, SSL_CERT_FILE: small_youtube_ca } }),
    env: { SMALL_YOUTUBE_PORT: String(port), NODE_EXTRA_CA_CERTS: small_youtube_ca },
    async close() {
      for (const { free } of held.values()) free()
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
      await filmsSettled()
      setDefaultCACertificates(trusted_before)
    },
  }
}

/** Of a request to YouTube's API. */
type Body = { [name in 'continuation' | 'videoId' | 'url' | 'query' | 'browseId']?: string } & {
  serviceIntegrityDimensions?: { poToken?: string }
}

type Site = Pick<SmallYoutube, 'channels' | 'playlists'> & {
  find(id: string): { video: SmallVideo; channel: SmallChannel } | undefined
  is_signed_in: boolean
}

/** A page, a document or JSON; `undefined`: there is nothing at this address. */
async function answerTo(url: URL, body: Body, site: Site): Promise<string | object | undefined> {
  const { pathname, searchParams } = url
  const id = searchParams.get('v') ?? ''
  switch (pathname) {
    case '/youtubei/v1/browse':
      return browse(body, site)
    case '/youtubei/v1/navigation/resolve_url': {
      const channel = channelAt(URL.parse(body.url ?? '')?.pathname ?? '', site)
      return channel && { endpoint: { browseEndpoint: { browseId: channel.channel_id } } }
    }
    case '/youtubei/v1/search':
      return searchData(body.query ?? '', site.channels)
    case '/youtubei/v1/player':
      return playerOf(body.videoId ?? '', site.find(body.videoId ?? ''), {
        ...site,
        po_token: body.serviceIntegrityDimensions?.poToken,
      })
    case '/youtubei/v1/next':
      return watchData(site.find(body.videoId ?? ''))
    case '/watch':
      return pageWith(watchData(site.find(id)), await playerOf(id, site.find(id), site))
    case '/api/timedtext':
      return captionText(searchParams, site.find(id))
    case '/feeds/videos.xml': {
      const feed = feedAt(searchParams, site)
      return feed && atomOf(feed)
    }
    case '/playlist': {
      const list = site.playlists.find(({ list_id }) => list_id === searchParams.get('list'))
      return list && pageWith(playlistData(list, site.find))
    }
  }
  if (/^\/(tv|embed\/.*)?$/.test(pathname)) return pageWith({ contents: {} })
  const channel = channelAt(pathname, site)
  return channel && pageWith(channelData(channel, pathname.split('/').at(-1) ?? ''))
}

const channelAt = (path: string, { channels }: Site) =>
  channels.find(({ channel_id, handle }) => path.startsWith(`/channel/${channel_id}`) || path.split('/')[1] === handle)

/** A further page of a list, or the first page of a channel or playlist. */
function browse({ continuation = '', browseId }: Body, { channels, playlists, find }: Site) {
  const [, tab_of, tab = '', list_of, from] = /^(?:tab (\S+) (\S+)|list (\S+)) (\d+)$/.exec(continuation) ?? []
  const channel = channels.find(({ channel_id }) => channel_id === (tab_of ?? browseId))
  const list = playlists.find(({ list_id }) => list_id === (list_of ?? browseId?.replace(/^VL/, '')))
  if (channel && tab_of) return nextPage(tabItems(channel, tab, Number(from)))
  if (list) return list_of ? nextPage(playlistItems(list, find, Number(from))) : playlistData(list, find)
  return channel && channelData(channel, 'videos')
}

/** All uploads, those of one tab (`UULF…`, `UUSH…`, `UULV…`), or a playlist. */
function feedAt(query: URLSearchParams, { channels, playlists, find }: Site): FeedOf | undefined {
  const list_id = query.get('playlist_id')
  const list = playlists.find(one => one.list_id === list_id)
  if (list) return { ...list, videos: list.video_ids.flatMap(id => find(id)?.video ?? []) }
  const [, part = '', rest] = /^UU(LF|SH|LV)?(.{22})$/.exec(list_id ?? '') ?? []
  const channel = channels.find(({ channel_id }) => channel_id === (rest ? `UC${rest}` : query.get('channel_id')))
  if (!channel) return undefined
  const tab = { LF: 'videos', SH: 'shorts', LV: 'streams' }[part]
  const videos = channel.videos.filter(video => tab === undefined || video.tab === tab)
  return { title: channel.title, channel, videos, ...(list_id && { list_id }) }
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const part of request.setEncoding('utf8')) text += part
  return text
}

const sendTo =
  (reply: ServerResponse, cookie = '') =>
  (status: number, type: string, text: string, reason?: string): void => {
    const said = (words: string) => words.replaceAll('{cookie}', cookie.replaceAll('"', "'"))
    if (reason !== undefined) reply.statusMessage = said(reason)
    reply.writeHead(status, { 'content-type': `${type}; charset=utf-8` }).end(said(text))
  }

/** The JPEGs of videos, and the avatars of channels. */
const isPicture = ({ hostname, pathname }: URL) =>
  (hostname === 'i.ytimg.com' && pathname.endsWith('.jpg')) || hostname === 'yt3.ggpht.com'

async function play(request: IncomingMessage, reply: ServerResponse, file: string, type = 'video/mp4'): Promise<void> {
  const { size } = await stat(file)
  const [, first, last] = /bytes=(\d+)-(\d*)/.exec(request.headers.range ?? '') ?? []
  const [start, end] = [Number(first ?? 0), Math.min(Number(last || size - 1), size - 1)]
  reply.writeHead(first ? 206 : 200, {
    'content-type': type,
    'content-length': end - start + 1,
    'accept-ranges': 'bytes',
    ...(first && { 'content-range': `bytes ${start}-${end}/${size}` }),
  })
  createReadStream(file, { start, end }).pipe(reply)
}
