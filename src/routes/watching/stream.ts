/**
 * Sends the file of a video, whole or in parts: to watch, to seek, to save. With STREAM_OFFLOAD nginx or the object storage sends the file
 * after this service has checked the request.
 */
import { type Context, Hono } from 'hono'
import { type Config, isSharing } from '../../config.ts'
import {
  byteRange,
  conditionOf,
  openSubtitles,
  openVideo,
  type Slice,
  sameFile,
} from '../../domain/watching/video-file.ts'
import { DomainError } from '../../errors.ts'
import { bodyOf, closeSource } from '../../runtime/sending.ts'
import type { Extension } from '../../schema/downloads/quality.ts'
import type { Files, OpenFile } from '../../store/files.ts'
import { openStreams, type StreamLimits, usual_streams } from '../http/answer-limits.ts'
import type { Env } from '../http/context.ts'
import { attachment } from '../http/disposition.ts'
import { arriving } from './arriving.ts'

type Settings = Partial<Pick<Config, 'STREAM_OFFLOAD' | 'SHARE_FILES'>>

export function stream(files: Files, config: Settings, limits: StreamLimits = usual_streams) {
  const { STREAM_OFFLOAD: offload = 'off' } = config
  const begin = openStreams(limits)
  const sendFile = (c: Context<Env>, file: OpenFile, type: string, more: Record<string, string> = {}) => {
    const headers = { ...more, 'Content-Type': type }
    c.header('Cache-Control', 'private, no-cache')
    if (offload === 'x-accel') return sendByNginx(c, file, headers)
    // A page may not use subtitles of another origin, and they are small.
    if (offload === 'signed-url' && type !== types.vtt && file.signedUrl)
      return send(c, file, headers, () => redirectToBucket(c, file, headers))
    return send(c, file, headers, ({ slice, status, headers }) => {
      const onEnd = begin(c.var.library.user_id, c.var.client)
      return c.body(bodyOf({ ...slice, source: file.source, idle_ms: limits.idle_ms, onEnd }), status, headers)
    })
  }
  return new Hono<Env>()
    .route('/', arriving(files, isSharing(config), { begin, idle_ms: limits.idle_ms }))
    .get('/stream/:video_id', async c => {
      const { file, extension } = await openVideo(c.var.library, files, c.req.param('video_id'))
      return sendFile(c, file, types[extension])
    })

    .get('/stream/:video_id/subtitles/:language', async c => {
      const { video_id, language } = c.req.param()
      return sendFile(c, await openSubtitles(c.var.library, files, video_id, language), types.vtt)
    })

    .get('/download/:video_id', async c => {
      const { video, file, extension } = await openVideo(c.var.library, files, c.req.param('video_id'))
      return sendFile(c, file, types[extension], { 'Content-Disposition': attachment(video.title, extension) })
    })
}

const types = { mp4: 'video/mp4', m4a: 'audio/mp4', vtt: 'text/vtt; charset=utf-8' } satisfies Record<
  Extension | 'vtt',
  string
>

/** Always closes the file: at once, or when the body has been sent or abandoned. */
async function send(
  c: Context<Env>,
  file: OpenFile,
  headers: Record<string, string>,
  sendBody: (body: Body) => Response | Promise<Response>,
): Promise<Response> {
  try {
    const answer = answerOf(c, file, headers)
    if (!(answer instanceof Response)) return await sendBody(answer)
    await closeSource(file.source)
    return answer
  } catch (refusal) {
    await closeSource(file.source)
    throw refusal
  }
}

type Body = { slice: Slice; status: 200 | 206; headers: Record<string, string> }

function answerOf(
  c: Context<Env>,
  { size, etag, modified_at }: OpenFile,
  more: Record<string, string>,
): Response | Body {
  const header = (name: string) => c.req.header(name)
  c.header('Accept-Ranges', 'bytes')
  c.header('ETag', etag)
  c.header('Last-Modified', modified_at.toUTCString())

  const condition = conditionOf(
    {
      if_match: header('if-match'),
      if_unmodified_since: header('if-unmodified-since'),
      if_none_match: header('if-none-match'),
      if_modified_since: header('if-modified-since'),
    },
    { etag, modified_at },
  )
  if (condition === 'not_modified') return c.body(null, 304)
  if (condition === 'failed') throw new DomainError('precondition_failed', 'The file has changed. Load it again.')

  const is_head = c.req.method === 'HEAD'
  const range = is_head || !sameFile(header('if-range'), etag, modified_at) ? undefined : header('range')
  const slice = byteRange(range, size)
  if (slice === 'unsatisfiable') {
    c.header('Content-Range', `bytes */${size}`)
    throw new DomainError('range_not_satisfiable', 'The file ends before the requested part.')
  }
  const { first, last } = slice ?? { first: 0, last: size - 1 }
  const headers = { ...more, 'Content-Length': String(last - first + 1) }
  if (is_head || size === 0) return c.body(null, 200, headers)
  if (!slice) return { slice: { first, last }, status: 200, headers }
  return { slice, status: 206, headers: { ...headers, 'Content-Range': `bytes ${first}-${last}/${size}` } }
}

/**
 * Conditions are checked here, ranges by the storage. Everyone who has the signed address can read the file until it expires, so no cache
 * may keep it. A browser keeps the address for later parts of the video; when it has expired, the player requests ours again
 * (`player/player.js`).
 */
async function redirectToBucket(
  c: Context,
  { signedUrl }: OpenFile,
  headers: Record<string, string>,
): Promise<Response> {
  const as = { type: headers['Content-Type'] ?? '', disposition: headers['Content-Disposition'] }
  const location = (await signedUrl?.(as)) ?? ''
  c.header('Cache-Control', 'private, no-store')
  // The tags and dates describe the file, not this answer.
  for (const name of ['ETag', 'Last-Modified', 'Accept-Ranges']) c.header(name, undefined)
  return c.body(null, 307, { Location: location })
}

/** The location of the recipe in `OPERATIONS.md`. */
const internal_location = '/_files'

/**
 * The answer has no body; it names the file below an internal location of nginx, which also checks conditions and ranges. Limits on open
 * files are then nginx's. Closes the file, because nginx opens it again.
 * https://nginx.org/en/docs/http/ngx_http_proxy_module.html#proxy_ignore_headers
 */
async function sendByNginx(
  c: Context,
  { source, download_path }: OpenFile,
  headers: Record<string, string>,
): Promise<Response> {
  await closeSource(source)
  // nginx decodes the path.
  const path = download_path.split('/').map(encodeURIComponent).join('/')
  return c.body(null, 200, { ...headers, 'X-Accel-Redirect': `${internal_location}/${path}` })
}
