/** Compresses answers: static files once and as small as possible, pages and JSON quickly. Videos are sent uncompressed. */
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Context } from 'hono'
import { memoized } from '../../runtime/cache.ts'

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

/**
 * Compresses pages, fragments and JSON that answer a GET. The answer to a POST may contain a secret (a token is shown once),
 * and the length of a compressed answer reveals it to an attacker who can add text to the answer (BREACH).
 */
export async function compressAnswer(c: Context): Promise<void> {
  const { headers, status } = c.res
  if (!compressible.test(headers.get('Content-Type') ?? '') || headers.has('Content-Encoding')) return
  headers.append('Vary', 'Accept-Encoding')
  const encoding = c.req.method === 'GET' && status !== 206 && encodingFor(c.req.header('accept-encoding'))
  if (!encoding) return
  const body = new Uint8Array(await c.res.arrayBuffer())
  const is_small = body.length < min_compressed_bytes
  c.res = new Response(is_small ? body : await quickly(body, encoding), c.res)
  c.res.headers.delete('Content-Length')
  if (!is_small) c.res.headers.set('Content-Encoding', encoding)
}

const compressible = /^(text\/html|application\/([a-z]+\+)?json)\b/

/** An answer that fits one packet arrives no sooner compressed. */
const min_compressed_bytes = 1400

const quickly = async (body: Uint8Array, encoding: Encoding) =>
  new Uint8Array(
    encoding === 'gzip'
      ? await gzipped(body, { level: 6 })
      : await brotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  )
