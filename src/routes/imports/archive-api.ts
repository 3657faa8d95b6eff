/** Everything that a person has as one JSON document, and taking such a document in. */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createBrotliCompress, createGzip } from 'node:zlib'
import { Hono } from 'hono'
import { archiveOf, beginImport } from '../../domain/imports/imports.ts'
import { DomainError } from '../../errors.ts'
import { Archive, ArchiveQuery } from '../../schema/imports/archive.ts'
import { archive_type, Import, list_file_types } from '../../schema/imports/import.ts'
import { mediaTypeOf } from '../http/body-limits.ts'
import type { Env } from '../http/context.ts'
import { attachment } from '../http/disposition.ts'
import { encodingFor } from '../http/encoding.ts'
import { describeRoute, validQuery } from '../http/operation.ts'
import { withUpload } from '../http/upload.ts'

export const archive = new Hono<Env>()
  .get(
    '/archive',
    describeRoute({
      summary: 'Export everything you have, in a form that another Backlot takes in',
      description:
        'Settings, channels with their rules, videos, what you watched, positions and pins. Without files, pictures and anything secret. The answer is a stream: a document that breaks off is not valid JSON.',
      responses: { 200: { description: 'One item in each line', schema: Archive } },
    }),
    c => {
      const encoding = c.req.method === 'HEAD' ? undefined : encodingFor(c.req.header('accept-encoding'))
      return c.body(streamOf(archiveOf(c.var.library, new Date()), encoding), 200, {
        'Content-Type': archive_type,
        'Content-Disposition': attachment('backlot archive', 'json'),
        // Compressed here, because other answers are compressed as a whole.
        ...(encoding && { 'Content-Encoding': encoding, Vary: 'Accept-Encoding' }),
      })
    },
  )

  .post(
    '/archive',
    describeRoute({
      summary: 'Take in what another Backlot has exported',
      description:
        'Merges the document with what you have: nothing is deleted, what is missing is added, and of two marks the newer one counts. It may have 512 MB, and may be packed with gzip or ZIP. Rules apply to videos that are published afterwards. Feeds are checked by their usual schedule.',
      body: Archive,
      files: list_file_types,
      responses: { 202: { description: 'The import. It takes in one part after another.', schema: Import } },
      errors: [409, 429],
    }),
    validQuery(ArchiveQuery),
    async c => {
      if (![archive_type, ...list_file_types].includes(mediaTypeOf(c)))
        throw new DomainError('unsupported_type', 'Send this as application/json.')
      const { library } = c.var
      const { downloads } = c.req.valid('query')
      const options = { downloads, is_archive: true }
      return c.json(await withUpload(c, ({ file = new Uint8Array() }) => beginImport(library, file, options)), 202)
    },
  )

/** Reads only as fast as the client does. */
function streamOf(texts: AsyncIterable<string>, encoding: 'br' | 'gzip' | undefined): ReadableStream {
  const source = Readable.from(bytesOf(texts), { highWaterMark: 1 })
  if (encoding === undefined) return Readable.toWeb(source) as ReadableStream
  const compress =
    encoding === 'gzip'
      ? createGzip({ level: 6 })
      : createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })
  // A client that leaves ends the pipeline, and a failed query breaks the answer off.
  pipeline(source, compress).catch(() => {})
  return Readable.toWeb(compress) as ReadableStream
}

async function* bytesOf(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const text of texts) yield Buffer.from(text)
}
