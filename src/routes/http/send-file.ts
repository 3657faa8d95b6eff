/**
 * Sends a stored file, whole or in parts. With STREAM_OFFLOAD the object storage sends the file after this service has checked the request.
 */
import type { Context } from 'hono'
import type { Config } from '../../config/config.ts'
import { byteRange, conditionOf, type Slice, sameFile } from '../../domain/watching/video-file.ts'
import { DomainError } from '../../errors.ts'
import { bodyOf, closeSource } from '../../runtime/sending.ts'
import type { Extension } from '../../schema/downloads/quality.ts'
import type { OpenFile } from '../../store/files.ts'
import { openStreams, type StreamLimits, usual_streams } from './answer-limits.ts'
import type { Env } from './context.ts'

export const types = {
  mp4: 'video/mp4',
  m4a: 'audio/mp4',
  mp3: 'audio/mpeg',
  vtt: 'text/vtt; charset=utf-8',
} satisfies Record<Extension | 'vtt', string>

/** `more`: further headers. */
type Sent = { type: string; more?: Record<string, string> }

export type FileSender = ReturnType<typeof fileSender>

/** All routes of a process share one, because the limits count all open files. */
export function fileSender(
  { STREAM_OFFLOAD: offload = 'off' }: Partial<Pick<Config, 'STREAM_OFFLOAD'>>,
  limits: StreamLimits = usual_streams,
) {
  const begin = openStreams(limits)
  /** `may_redirect`: who has an address of the object storage can read the file until that address expires. */
  const sendAs = (c: Context<Env>, file: OpenFile, { type, more }: Sent, whose: string, may_redirect: boolean) => {
    const headers = { ...more, 'Content-Type': type }
    c.header('Cache-Control', 'private, no-cache')
    if (offload === 'signed-url' && may_redirect && file.signedUrl)
      return send(c, file, headers, () => redirectToBucket(c, file, headers))
    return send(c, file, headers, ({ slice, status, headers }) => {
      const onEnd = begin(whose, c.get('client'))
      return c.body(bodyOf({ ...slice, source: file.source, idle_ms: limits.idle_ms, onEnd }), status, headers)
    })
  }
  return {
    begin,
    idle_ms: limits.idle_ms,

    /** To the person who is signed in. */
    sendFile: (c: Context<Env>, file: OpenFile, type: string, more: Record<string, string> = {}) =>
      // A page may not use subtitles of another origin, and they are small.
      sendAs(c, file, { type, more }, c.get('library').user_id, type !== types.vtt),

    /**
     * To everyone who has a link. The files that are open by links of a person count together, and leave the person their own. Never
     * redirects: a link that is revoked must open nothing.
     */
    sendLinked: (c: Context<Env>, file: OpenFile, type: string, more: Record<string, string> = {}) =>
      sendAs(c, file, { type, more }, `links of ${c.get('library').user_id}`, false),
  }
}

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
