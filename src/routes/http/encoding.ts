/** Sends pages, and compresses answers: static files once and as small as possible, pages and JSON quickly. Videos stay uncompressed. */
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { memoized } from '../../runtime/cache.ts'
import { htmlBelow } from './base-path.ts'

export type Encoding = 'br' | 'gzip'

/** The best encoding that the client accepts; `undefined`: none. */
export const encodingFor = (accepted: string | undefined): Encoding | undefined =>
  accepted === undefined ? undefined : (bestEncoding(accepted) ?? undefined)

const bestEncoding = memoized((accepted): Encoding | null => {
  const accepted_names = accepted.split(',').flatMap(offer => {
    const [name = '', ...parameters] = offer.split(';').map(part => part.trim().toLowerCase())
    return parameters.some(parameter => /^q=0(\.0*)?$/.test(parameter)) ? [] : [name]
  })
  return encodings.find(encoding => accepted_names.includes(encoding)) ?? null
})

const encodings = ['br', 'gzip'] as const

/** For static files, which are compressed once and served often. */
export async function encoded(body: Uint8Array, encoding: Encoding): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(encoding === 'gzip' ? await gzipped(body, { level: 9 }) : await brotli(body, options(body)))
}

const [gzipped, brotli] = [promisify(gzip), promisify(brotliCompress)]

/** For large files the highest levels take seconds per megabyte and save only 5 %. */
const options = (body: Uint8Array, quality = body.length > 500_000 ? 9 : 11) => ({
  params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
})

declare module 'hono' {
  interface ContextRenderer {
    // biome-ignore lint/style/useShorthandFunctionType: Hono merges this interface with its own.
    (html: string | Promise<string>, status?: ContentfulStatusCode): Promise<Response>
  }
}

/**
 * Lets `c.render` send pages and fragments as bytes. A `Response` of a long text is copied several times before it is sent, which takes a
 * tenth of the time of a page.
 */
export const inBytes =
  (base: string) =>
  (c: Context): void =>
    c.setRenderer(async (html, status = 200) => {
      const text = Buffer.from(base ? htmlBelow(String(await html), base) : String(await html))
      const { body, encoding } = await compressed(c, text)
      c.header('Vary', 'Accept-Encoding', { append: true })
      if (encoding) c.header('Content-Encoding', encoding)
      return c.body(body, status, { 'Content-Type': 'text/html; charset=UTF-8' })
    })

/** Compresses JSON. */
export async function compressAnswer(c: Context): Promise<void> {
  const { headers, status } = c.res
  if (!json.test(headers.get('Content-Type') ?? '') || headers.has('Content-Encoding')) return
  headers.append('Vary', 'Accept-Encoding')
  if (c.req.method !== 'GET' || status === 206 || !encodingFor(c.req.header('accept-encoding'))) return
  const text = new Uint8Array(await c.res.arrayBuffer())
  const { body, encoding } = await compressed(c, text)
  if (encoding) headers.set('Content-Encoding', encoding)
  headers.delete('Content-Length')
  // Hono would read an answer that is still set, to take over its headers.
  c.res = undefined
  c.res = new Response(body, { status, headers })
}

/** The text as it is where the client accepts no encoding, and where compression fails, for which the memory may be too short. */
async function compressed(c: Context, text: Uint8Array<ArrayBuffer>): Promise<Compressed> {
  const encoding = encodingOf(c, text)
  const body = encoding && (await quickly(text, encoding).catch(() => undefined))
  return body ? { body, encoding } : { body: text }
}

type Compressed = { body: Uint8Array<ArrayBuffer>; encoding?: Encoding | undefined }

const json = /^application\/([a-z]+\+)?json\b/

/**
 * How this answer is compressed; `undefined`: not at all. The answer to a POST may contain a secret (a token is shown once), and the length
 * of a compressed answer reveals it to an attacker who can add text to the answer (BREACH).
 */
const encodingOf = (c: Context, body: Uint8Array): Encoding | undefined =>
  c.req.method === 'GET' && body.length >= min_compressed_bytes
    ? encodingFor(c.req.header('accept-encoding'))
    : undefined

/** An answer that fits one packet arrives no sooner compressed. */
const min_compressed_bytes = 1400

const quickly = (body: Uint8Array, encoding: Encoding) =>
  encoding === 'gzip' ? gzipped(body, { level: 6 }) : brotli(body, { params: quick_brotli })

/** A larger window takes twice the processor time, to clear its memory, and saves nothing on a page. */
const quick_brotli = { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 18 }
