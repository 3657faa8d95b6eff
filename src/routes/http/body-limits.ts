/** Limits the size of request bodies. Lists of channels to import and cookie files may be larger, but only after a sign-in. */
import { statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import type { Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { createMiddleware } from 'hono/factory'
import { DomainError } from '../../errors.ts'
import { cookie_file_too_large, max_cookie_file } from '../../schema/downloads/site-cookies.ts'
import {
  archive_type,
  file_too_large,
  list_file_types,
  max_file_bytes,
  max_list_bytes,
} from '../../schema/imports/import.ts'
import type { Env } from './context.ts'
import { archive_path, takesLargeBody } from './request-kind.ts'
import { in_memory_bytes } from './upload.ts'

/** Fits a batch of 500 identifiers at their longest. */
const max_body_bytes = 256 * 1024

/** JSON needs room for escapes, a form for what surrounds the file. */
const max_list_body_bytes = max_list_bytes * 1.5
const max_file_body_bytes = max_file_bytes + 64 * 1024
const max_cookie_body_bytes = max_cookie_file + 64 * 1024

/** A client that is still uploading never reads the 413, so a body of at most this announced length is drained first. */
const max_drained_bytes = 16 * 1024 * 1024

const refuseWith = (sentence: string) => async (c: Context) => {
  const { body } = c.req.raw
  const announced = Number(c.req.header('content-length') ?? Number.POSITIVE_INFINITY)
  if (body && !body.locked && announced <= max_drained_bytes) await body.pipeTo(new WritableStream()).catch(() => {})
  throw new DomainError('too_large', sentence)
}
const too_large = 'This request is too large. Send less at once.'
/** A GET has no body. Looking for one makes the server on Node build a whole `Request`, which costs 0.1 ms. */
const limit = (maxSize: number, sentence: string) => {
  const limited = bodyLimit({ maxSize, onError: refuseWith(sentence) })
  return createMiddleware((c, next) => (['GET', 'HEAD'].includes(c.req.method) ? next() : limited(c, next)))
}
const small = limit(max_body_bytes, too_large)
const list = limit(max_list_body_bytes, too_large)

export const limitBodies = createMiddleware<Env>((c, next) => (takesLargeBody(c.req.path) ? next() : small(c, next)))

/** The limit for `cookie_paths`, which `limitBodies` lets pass. Runs after the sign-in. */
export const limitCookieBodies = limit(max_cookie_body_bytes, cookie_file_too_large)

/**
 * The limit for `list_paths`, which `limitBodies` lets pass. Runs after the sign-in. A file is stored on disk while it arrives, so each
 * user sends one at a time, and files are refused that would leave less than `min_free_bytes`.
 */
export function limitImportBodies(min_free_bytes: number) {
  /** The bytes that the file of each user may take. */
  const sending = new Map<string, number>()
  return createMiddleware<Env>(async (c, next) => {
    if (!isFile(c)) return list(c, next)
    const { user_id } = c.var.library
    if (sending.has(user_id))
      throw new DomainError('too_many', 'Another of your files is still being read. Try again in a moment.', {
        retry_after_s: 5,
      })
    const announced = Number(c.req.header('content-length') ?? max_file_body_bytes)
    if (announced > max_file_body_bytes) return refuseWith(file_too_large)(c)
    sending.set(user_id, announced)
    try {
      if (announced > in_memory_bytes) await requireRoom([...sending.values()], min_free_bytes)
      limitStream(c)
      return await next()
    } finally {
      sending.delete(user_id)
    }
  })
}

async function requireRoom(sizes: number[], min_free_bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(tmpdir())
  const needed = sizes.reduce((sum, size) => sum + size, min_free_bytes)
  if (bavail * bsize < needed)
    throw new DomainError('unavailable', 'There is not enough space for this file on the server. Try again later.', {
      retry_after_s: 300,
    })
}

/** A body in chunks announces no length. `bodyLimit` would take all of it into memory. */
function limitStream(c: Context): void {
  const { body } = c.req.raw
  if (!body || c.req.header('content-length') !== undefined) return
  let bytes = 0
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      bytes += piece.length
      if (bytes > max_file_body_bytes) controller.error(new DomainError('too_large', file_too_large))
      else controller.enqueue(piece)
    },
  })
  c.req.raw = new Request(c.req.raw, { body: body.pipeThrough(counted), duplex: 'half' } as RequestInit)
}

function isFile(c: Context): boolean {
  const types = ['multipart/form-data', ...list_file_types, ...(c.req.path === archive_path ? [archive_type] : [])]
  return c.req.method === 'POST' && types.includes(mediaTypeOf(c))
}

/** The type without its parameters. */
export function mediaTypeOf(c: Context): string {
  const [type = ''] = (c.req.header('content-type') ?? '').toLowerCase().split(/\s*;/)
  return type
}
