/** Fewer bytes on the line: assets as small as they get, pages quickly. Streams and files go as they are. */
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { createMiddleware } from 'hono/factory'

export type Encoding = 'br' | 'gzip'

/** The smallest that the client takes; `undefined`: as it is. */
export function encodingFor(accepted: string | undefined): Encoding | undefined {
  const taken = (accepted ?? '').split(',').flatMap(offer => {
    const [name = '', ...parameters] = offer.split(';').map(part => part.trim().toLowerCase())
    return parameters.some(parameter => /^q=0(\.0*)?$/.test(parameter)) ? [] : [name]
  })
  return encodings.find(encoding => taken.includes(encoding))
}

const encodings = ['br', 'gzip'] as const

/** For what is asked for often and packed once. */
export async function encoded(body: Uint8Array, encoding: Encoding): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(encoding === 'gzip' ? await gzipped(body, { level: 9 }) : await brotli(body, options(body)))
}

const [gzipped, brotli] = [promisify(gzip), promisify(brotliCompress)]

/** The last levels take seconds for a megabyte, and save a twentieth. */
const options = (body: Uint8Array, quality = body.length > 500_000 ? 9 : 11) => ({
  params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
})

/**
 * Pages, fragments and JSON that were asked for by GET. What one was told after a POST may hold a secret (a token is shown
 * once), and an answer that is packed tells its secrets by its length to whoever may put a word into it (BREACH).
 */
export const packPages = createMiddleware(async (c, next) => {
  await next()
  const { headers, status } = c.res
  if (!packable.test(headers.get('Content-Type') ?? '') || headers.has('Content-Encoding')) return
  c.header('Vary', 'Accept-Encoding', { append: true })
  const encoding = c.req.method === 'GET' && status !== 206 && encodingFor(c.req.header('accept-encoding'))
  if (!encoding) return
  const body = new Uint8Array(await c.res.arrayBuffer())
  const is_small = body.length < least_bytes
  c.res = new Response(is_small ? body : await quickly(body, encoding), c.res)
  c.res.headers.delete('Content-Length')
  if (!is_small) c.res.headers.set('Content-Encoding', encoding)
})

const packable = /^(text\/html|application\/([a-z]+\+)?json)\b/

/** What fits one packet gets there no sooner. */
const least_bytes = 1400

const quickly = async (body: Uint8Array, encoding: Encoding) =>
  new Uint8Array(
    encoding === 'gzip'
      ? await gzipped(body, { level: 6 })
      : await brotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  )
