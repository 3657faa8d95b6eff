/** Reads and decompresses the body of an answer. The size limit counts decompressed bytes. The `share` limits the memory. */
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib'
import { DomainError } from '../../errors.ts'
import type { Share } from './memory.ts'

/** Most documents are smaller. A larger one is decompressed a second time, after it has got enough memory. */
const usual_bytes = 256 * 1024

export async function decodedBody(
  answer: Readable,
  encoding: string | undefined,
  max_bytes: number,
  share: Share,
): Promise<Uint8Array> {
  const sent = await allOf(answer, max_bytes, share)
  const unpack = unpackerOf(encoding, sent)
  if (!unpack || sent.length === 0) return sent
  const unpacked = await within(Math.min(usual_bytes, max_bytes), unpack, sent)
  if (unpacked) return unpacked
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

function unpackerOf(encoding = 'identity', [first = 0]: Uint8Array) {
  switch (encoding.trim().toLowerCase()) {
    case '':
    case 'identity':
      return undefined
    case 'gzip':
    case 'x-gzip':
      return promisify(gunzip)
    case 'deflate':
      // The standard demands a zlib header; some sites leave it out.
      return (first & 0x0f) === 8 ? promisify(inflate) : promisify(inflateRaw)
    case 'br':
      return promisify(brotliDecompress)
    default:
      throw new DomainError('feed_failed', 'The site sent data that cannot be decompressed.')
  }
}

/** The next answer would be too large as well. */
export class TooLarge extends DomainError {}

const tooLarge = (max_bytes: number) =>
  new TooLarge(
    'feed_failed',
    `The site sent more than ${Math.floor(max_bytes / 1024)} KiB, which is too large for a feed.`,
  )
