/**
 * Moves the bytes of large objects: sends a file or copies an object in parts, and reads a range. Nothing is visible at a key before its
 * upload is completed.
 */
import { open } from 'node:fs/promises'
import { z } from 'zod'
import { type Pieces, piecesOf, type ReadRange } from '../../runtime/sending.ts'
import type { BucketClient } from './client.ts'
import type { ObjectVersion, Part, StoredObject, Upload, Uploaded } from './requests.ts'
import * as requests from './requests.ts'

const MiB = 2 ** 20
/** An upload has at most 10,000 parts, and each but the last at least 5 MiB. */
const max_parts = 10_000
const min_part_bytes = { sent: 16 * MiB, copied: 256 * MiB }
/** Parts at once. One connection alone rarely fills a line to a distant bucket. */
const parts_at_once = { sent: 4, copied: 8 }

export async function uploadFile(
  client: BucketClient,
  upload: Upload,
  { file, size, signal }: { file: string; size: number; signal?: AbortSignal | undefined },
): Promise<Uploaded> {
  const source = await open(file)
  try {
    return await inParts(upload, size, 'sent', signal, (part, first, last) =>
      requests.sendPart(client, part, last - first + 1, proceed => streamOf(piecesOf(source, first, last), proceed)),
    )
  } finally {
    await source.close()
  }
}

/** Throws when the object was replaced or removed meanwhile. */
export const copyObject = (
  client: BucketClient,
  upload: Upload,
  from: ObjectVersion & Pick<StoredObject, 'size'>,
  signal: AbortSignal | undefined,
): Promise<Uploaded> =>
  inParts(upload, from.size, 'copied', signal, (part, first, last) => {
    const is_whole = last - first + 1 === from.size
    return requests.copyPart(client, part, from, is_whole ? '' : `bytes=${first}-${last}`)
  })

/** The bytes of each part but the last. */
const partBytes = (size: number, least: number): number => Math.max(least, Math.ceil(size / max_parts / MiB) * MiB)

/** The first failure ends the other parts at once, and so does the signal. */
async function inParts(
  upload: Upload,
  size: number,
  how: keyof typeof parts_at_once,
  given: AbortSignal | undefined,
  send: (part: Part, first: number, last: number) => Promise<string>,
): Promise<Uploaded> {
  const bytes = partBytes(size, min_part_bytes[how])
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
    Array.from({ length: parts_at_once[how] }, () => sendNext().catch((fault: unknown) => failed.abort(fault))),
  )
  signal.throwIfAborted()
  return { ...upload, etags }
}

/** The file stays open, because other parts read it. */
const streamOf = ({ next }: Pieces, proceed: () => void) =>
  streamFrom(async () => {
    const piece = await next()
    proceed()
    return piece.length === 0 ? undefined : piece
  })

/** A stream that calls `next` when its reader wants a piece; `undefined` ends it. */
const streamFrom = (next: () => Promise<Uint8Array | undefined>, cancel = () => {}) =>
  new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const piece = await next()
        if (piece) controller.enqueue(piece)
        else controller.close()
      },
      cancel,
    },
    { highWaterMark: 0 },
  )

/** Milliseconds without a byte, while the reader waits for one. */
const silence_ms = 30_000
/** Requests in a row that bring no byte. Storage closes the connection of a video that is paused, so one for the rest is usual. */
const max_requests_without_bytes = 3

/** Reads a range of an object as fast as its reader takes it, and requests the rest again when the connection breaks. */
export function rangeReader(client: BucketClient, object: ObjectVersion, limit_ms = silence_ms): ReadRange {
  return async (first, last, signal) => {
    let position = first
    let failures = 0
    const connect = async () => {
      const silence = new AbortController()
      const stop = AbortSignal.any([signal, silence.signal])
      const answer = await requests.readRange(client, object, position, last, stop)
      const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
      return {
        async read() {
          const timer = setTimeout(() => silence.abort(sentNothing()), limit_ms)
          const { value } = await reader.read().finally(() => clearTimeout(timer))
          if (value === undefined && position <= last) throw new Error('the object storage sent too few bytes')
          return value
        },
        cancel: () => reader.cancel(),
      }
    }
    let connection = await connect()
    const read = async (): Promise<Uint8Array | undefined> => {
      for (;;) {
        try {
          const piece = await connection.read()
          failures = 0
          position += piece?.length ?? 0
          return piece
        } catch (fault) {
          failures += 1
          if (signal.aborted || failures > max_requests_without_bytes) throw fault
          connection = await connect()
        }
      }
    }
    return streamFrom(
      async () => (position <= last ? read() : undefined),
      () => connection.cancel(),
    )
  }
}

const sentNothing = () => new Error('the object storage sent nothing for too long')

/** No upload takes longer: at one megabyte a second, 86 GB are sent in this time. */
const longest_ms = 24 * 3_600_000
/** Housekeeping runs every minute, and a list of uploads costs money at Amazon. */
const between_ms = 3_600_000

/** Aborts uploads of runs that died. Their parts take up space in the bucket, but no list of files shows them. */
export function cleanUploads(client: BucketClient): (now: Date) => Promise<void> {
  const { prefix } = client.settings
  let cleaned_ms = Number.NEGATIVE_INFINITY
  return async now => {
    if (Math.abs(now.getTime() - cleaned_ms) < between_ms) return
    cleaned_ms = now.getTime()
    for (const upload of await requests.listUploads(client, prefix))
      if (isOfRun(upload.key, prefix) && now.getTime() - upload.started_at.getTime() > longest_ms)
        await requests.abort(client, upload)
  }
}

/** Other programs may use the same bucket. Runs upload to the folders of users only. */
const isOfRun = (key: string, prefix: string) => z.uuid().safeParse(key.slice(prefix.length).split('/')[0]).success
