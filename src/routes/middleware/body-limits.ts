/** Limits the size of request bodies. Lists of channels to import may be larger than other bodies, but only after a sign-in. */
import type { Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { createMiddleware } from 'hono/factory'
import { DomainError } from '../../errors.ts'
import { file_too_large, list_file_types, max_file_bytes, max_list_bytes } from '../../schema/import.ts'
import type { Env } from './context.ts'
import { list_paths } from './request-kind.ts'

/** Fits a batch of 500 identifiers at their longest. */
const most_body_bytes = 256 * 1024

/** JSON needs room for escapes, a form for what surrounds the file. */
const most_list_body_bytes = max_list_bytes * 1.5
const most_file_body_bytes = max_file_bytes + 64 * 1024

/** A client that is still uploading never reads the 413, so a body of at most this announced length is drained first. */
const most_drained_bytes = 16 * 1024 * 1024

const refuseWith = (sentence: string) => async (c: Context) => {
  const { body } = c.req.raw
  const announced = Number(c.req.header('content-length') ?? Number.POSITIVE_INFINITY)
  if (body && !body.locked && announced <= most_drained_bytes) await body.pipeTo(new WritableStream()).catch(() => {})
  throw new DomainError('too_large', sentence)
}
const too_large = 'This request is too large. Send less at once.'
/** A GET has no body. Looking for one makes the server on Node build a whole `Request`, which costs 0.1 ms. */
const limit = (maxSize: number, sentence: string) => {
  const limited = bodyLimit({ maxSize, onError: refuseWith(sentence) })
  return createMiddleware((c, next) => (['GET', 'HEAD'].includes(c.req.method) ? next() : limited(c, next)))
}
const small = limit(most_body_bytes, too_large)
const list = limit(most_list_body_bytes, too_large)
const file = limit(most_file_body_bytes, file_too_large)

export const limitBodies = createMiddleware<Env>((c, next) =>
  list_paths.includes(c.req.path) ? next() : small(c, next),
)

/** The limit for `list_paths`, which `limitBodies` lets pass. Runs after the sign-in. A file is kept in memory while it arrives, so each user sends one at a time. */
export function limitImportBodies() {
  const sending = new Set<string>()
  return createMiddleware<Env>(async (c, next) => {
    if (!isFile(c)) return list(c, next)
    const { user_id } = c.var.library
    if (sending.has(user_id))
      throw new DomainError('too_many', 'Another of your files is still being read. Try again in a moment.', {
        retry_after_s: 5,
      })
    sending.add(user_id)
    try {
      return await file(c, next)
    } finally {
      sending.delete(user_id)
    }
  })
}

function isFile(c: Context): boolean {
  const [type = ''] = (c.req.header('content-type') ?? '').toLowerCase().split(/\s*;/)
  return c.req.method === 'POST' && ['multipart/form-data', ...list_file_types].includes(type)
}
