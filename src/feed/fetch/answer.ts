/**
 * Turns a site's answer into a document, no news, or a refusal. The size limit counts decompressed bytes, and the `share` limits the
 * memory. Reads and makes the headers of conditional requests (RFC 9110 and 9111). Redirects are left to `fetch.ts`.
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { DomainError } from '../../errors.ts'
import { currentTime } from '../../runtime/clock.ts'
import { notFoundWords } from '../../schema/channels/channel.ts'
import type { Validators } from '../../schema/sources/feed.ts'
import type { FetchedDocument } from '../formats/parse.ts'
import type { Share } from './memory.ts'

/** Without `document`: nothing has changed. `moved_to`: where redirects led that are all for good. */
export type Answer = { document?: FetchedDocument; caching: Caching; moved_to?: string | undefined }

/** The site answered, but not with a document. `answered`: the status. `host`: the one behind all redirects, with its port. */
export class SiteRefusal extends DomainError {
  readonly answered: number
  readonly host: string

  constructor(answered: number, retry_after_s: number | undefined, host: string) {
    super('feed_failed', sentenceFor(answered, host), { retry_after_s })
    this.answered = answered
    this.host = host
  }
}

/** `conditional`: the request asked for news only. */
export async function readAnswer(
  response: IncomingMessage,
  url: URL,
  { conditional, max_bytes, share }: { conditional: boolean; max_bytes: number; share: Share },
): Promise<Answer> {
  const { statusCode = 0, headers } = response
  const caching = cachingOf(headers, currentTime())
  if (isWhole(statusCode, headers['content-range'])) {
    const body = await decodedBody(response, headers['content-encoding'], max_bytes, share)
    const link = headers.link === undefined ? undefined : String(headers.link)
    return { document: { url: url.href, content_type: headers['content-type'] ?? '', body, link }, caching }
  }
  if (statusCode === 304 && conditional) {
    response.resume()
    return { caching }
  }
  response.destroy()
  throw refusalOf(response, url)
}

/**
 * Whether an answer is a whole document. Proxies change 200 to 203, and feeds answer 226 (RFC 3229). No part of a document is ever
 * requested, so 206 is an error of the site, but harmless if the part is everything.
 */
function isWhole(status: number, range = ''): boolean {
  const [, last, size] = /^bytes 0-(\d+)\/(\d+)$/i.exec(range) ?? []
  return [200, 203, 226].includes(status) || (status === 206 && Number(last) + 1 === Number(size))
}

/** The refusal that an answer without a document means. */
export function refusalOf({ statusCode = 0, headers }: IncomingMessage, url: URL): SiteRefusal {
  const retry_after_s = waits(statusCode) ? retryAfterOf(headers['retry-after'], currentTime()) : undefined
  return new SiteRefusal(statusCode, retry_after_s, url.host)
}

/** 429, or 503 with a time: the host wants fewer requests, whatever the address. */
export const asksToWait = ({ answered, retry_after_s }: SiteRefusal): boolean =>
  answered === 429 || (answered === 503 && retry_after_s !== undefined)

const waits = (status: number) => status === 429 || status === 503

function sentenceFor(status: number, host: string): string {
  if (status === 404 || status === 410) return notFoundWords(status)
  if (status === 401 || status === 403) return `${host} does not allow access (${status}).`
  if (status === 429) return `${host} asks us to slow down (429). Try again later.`
  if (status >= 500) return `${host} has a problem (${status}). Try again later.`
  return `${host} answered with an unexpected status (${status}).`
}

/** Most documents are smaller. A larger one is decompressed a second time, after it has got enough memory. */
const usual_bytes = 256 * 1024

async function decodedBody(
  answer: Readable,
  encoding: string | undefined,
  max_bytes: number,
  share: Share,
): Promise<Uint8Array> {
  let body: Uint8Array = await allOf(answer, max_bytes, share)
  const declared = namesIn(encoding)
  for (let layer = 0; layer < max_layers; layer += 1) {
    const unpack = unpackerOf(body, declared)
    if (body.length === 0) return body
    if (!unpack) return layer > 0 || beginsAsText(body) || !packers.test(encoding ?? '') ? body : unreadable()
    body = await unpacked(body, unpack, max_bytes, share)
  }
  return body
}

/** Sites also name what packs nothing, such as `utf-8`, `none` and `aws-chunked`. */
const packers = /gzip|deflate|\bbr\b|zstd|compress/i

function unreadable(): never {
  throw new DomainError('feed_failed', 'The site sent data that cannot be decompressed.')
}

/** Some sites pack what was packed already. */
const max_layers = 3

async function unpacked(sent: Uint8Array, unpack: Unpack, max_bytes: number, share: Share): Promise<Uint8Array> {
  const small = await within(Math.min(usual_bytes, max_bytes), unpack, sent)
  if (small) return small
  await share.grow(max_bytes)
  const large = await within(max_bytes, unpack, sent)
  if (large) return large
  throw tooLarge(max_bytes)
}

type Unpack = (sent: Uint8Array, limits: { maxOutputLength: number }) => Promise<Uint8Array>

/** `undefined`: there are more than `max_bytes`. */
async function within(max_bytes: number, unpack: Unpack, sent: Uint8Array): Promise<Uint8Array | undefined> {
  try {
    return await unpack(sent, { maxOutputLength: max_bytes })
  } catch (cause) {
    if ((cause as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE' || cause instanceof RangeError) return undefined
    throw new DomainError('feed_failed', 'The site sent data that cannot be decompressed.', { cause })
  }
}

async function allOf(answer: Readable, max_bytes: number, share: Share): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = []
  let size = 0
  // Throwing out of the loop closes the connection.
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > max_bytes) throw tooLarge(max_bytes)
    await share.grow(chunk.length)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Encodings in the order in which they are undone. Names such as `utf-8` are of something else. */
const namesIn = (encoding = ''): string[] =>
  encoding
    .toLowerCase()
    .split(',')
    .map(name => name.trim())
    .filter(name => name === 'deflate' || name === 'br')

/**
 * The first bytes tell gzip and Zstandard, because sites send them without the header, and the header without them. Deflate and Brotli
 * have no such bytes, so the header counts, unless the body begins as text. Takes the name from `declared`.
 */
function unpackerOf(body: Uint8Array, declared: string[]): Unpack | undefined {
  const [first = 0, second] = body
  if (first === 0x1f && second === 0x8b) return promisify(zlib.gunzip)
  if (first === 0x28 && second === 0xb5) return promisify(zlib.zstdDecompress)
  if (declared.length === 0 || beginsAsText(body)) return undefined
  if (declared.pop() === 'br') return promisify(zlib.brotliDecompress)
  // The standard demands a zlib header; some sites leave it out.
  return promisify((first & 0x0f) === 8 ? zlib.inflate : zlib.inflateRaw)
}

/** How feeds and pages begin, with or without a byte order mark. */
const beginsAsText = (body: Uint8Array): boolean =>
  /^(?:\xef\xbb\xbf)?\s*[<{][\s!?"\w/]/.test(Buffer.from(body.subarray(0, 100)).toString('latin1'))

/** The document is too large. The next answer would be too large as well. */
export class TooLarge extends DomainError {}

const tooLarge = (max_bytes: number) =>
  new TooLarge(
    'feed_failed',
    `The site sent more than ${Math.floor(max_bytes / 1024)} KiB, which is too large for a feed.`,
  )

/** The caching headers of an answer. */
export type Caching = {
  etag: string | null
  last_modified: string | null
  /** Seconds for which the answer stays fresh; `null`: not given, or not cacheable. */
  fresh_s: number | null
}

/** Longer validators are ignored. */
const max_validator_characters = 1000

/** The headers that ask for a document only if it has changed. */
export const conditionsOf = ({ etag, last_modified }: Validators): Record<string, string> => ({
  ...(etag !== null && { 'if-none-match': etag }),
  ...(last_modified !== null && { 'if-modified-since': last_modified }),
})

export function cachingOf(headers: IncomingHttpHeaders, now: Date): Caching {
  return {
    etag: validator(headers.etag),
    last_modified: validator(headers['last-modified']),
    fresh_s: freshness(headers, now),
  }
}

const validator = (value: string | undefined): string | null =>
  value !== undefined && value !== '' && value.length <= max_validator_characters ? value : null

function freshness({ 'cache-control': control = '', expires, date, age }: IncomingHttpHeaders, now: Date) {
  if (/\bno-(cache|store)\b/i.test(control)) return null
  const max_age = /(?:^|[\s,])max-age\s*=\s*"?(\d{1,10})/i.exec(control)?.[1]
  const until = Date.parse(expires ?? '')
  const since = Date.parse(date ?? '') || now.getTime()
  const seconds =
    max_age !== undefined
      ? Number(max_age) - (Number(age) || 0)
      : Number.isNaN(until)
        ? 0
        : Math.round((until - since) / 1000)
  return seconds > 0 ? seconds : null
}

/** `Retry-After`, given in seconds or as a date. Returns seconds, at most a day; undefined when it is not valid. */
export function retryAfterOf(value: string | undefined, now: Date): number | undefined {
  const text = value?.trim() ?? ''
  const seconds = /^\d{1,10}$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - now.getTime()) / 1000)
  return seconds > 0 ? Math.min(seconds, day_s) : undefined
}

const day_s = 24 * 3600
