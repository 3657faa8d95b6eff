/** Sends a file, or copies an object, in parts. Nothing is visible at the key before the upload is completed. */
import { open } from 'node:fs/promises'
import { piecesOf } from '../../runtime/byte-source.ts'
import type { BucketRequest } from './client.ts'
import type { BucketRequests, Found, Part, Upload, Uploaded } from './requests.ts'

const MiB = 2 ** 20
/** An upload has at most 10,000 parts, and each but the last at least 5 MiB. */
const most_parts = 10_000
const least_bytes = { sent: 16 * MiB, copied: 256 * MiB }
/** Parts at once. One connection alone rarely fills a line to a distant bucket. */
const at_once = { sent: 4, copied: 8 }

export async function uploadFile(
  requests: BucketRequests,
  upload: Upload,
  { file, size, signal }: { file: string; size: number; signal?: AbortSignal | undefined },
): Promise<Uploaded> {
  const source = await open(file)
  try {
    return await inParts(upload, size, 'sent', signal, (part, first, last) =>
      requests.sendPart(part, last - first + 1, proceed => streamOf(piecesOf(source, first, last), proceed)),
    )
  } finally {
    await source.close()
  }
}

/** Throws when the object was replaced or removed meanwhile. */
export const copyObject = (
  requests: BucketRequests,
  upload: Upload,
  from: Pick<Found, 'size' | 'etag'> & { key: string },
  signal: AbortSignal | undefined,
): Promise<Uploaded> =>
  inParts(upload, from.size, 'copied', signal, (part, first, last) => {
    const is_whole = last - first + 1 === from.size
    return requests.copyPart(part, from, is_whole ? '' : `bytes=${first}-${last}`)
  })

/** The bytes of each part but the last. */
export const partBytes = (size: number, least: number): number =>
  Math.max(least, Math.ceil(size / most_parts / MiB) * MiB)

/** The first failure ends the other parts at once, and so does the signal. */
async function inParts(
  upload: Upload,
  size: number,
  how: keyof typeof at_once,
  given: AbortSignal | undefined,
  send: (part: Part, first: number, last: number) => Promise<string>,
): Promise<Uploaded> {
  const bytes = partBytes(size, least_bytes[how])
  const count = Math.max(1, Math.ceil(size / bytes))
  const etags: string[] = []
  let next = 0
  const failed = new AbortController()
  const signal = given ? AbortSignal.any([failed.signal, given]) : failed.signal
  const sendNext = async () => {
    while (next < count) {
      signal.throwIfAborted()
      const index = next++
      const first = index * bytes
      etags[index] = await send({ upload, number: index + 1, signal }, first, Math.min(first + bytes, size) - 1)
    }
  }
  // The first reason counts. All have ended before the file is closed.
  await Promise.allSettled(
    Array.from({ length: at_once[how] }, () => sendNext().catch((fault: unknown) => failed.abort(fault))),
  )
  signal.throwIfAborted()
  return { ...upload, etags }
}

/** The file stays open, because other parts read it. */
function streamOf(
  { next }: ReturnType<typeof piecesOf>,
  proceed: () => void,
): ReturnType<NonNullable<BucketRequest['body']>> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const piece = await next()
        proceed()
        if (piece.length === 0) controller.close()
        else controller.enqueue(piece)
      },
    },
    { highWaterMark: 0 },
  )
}
