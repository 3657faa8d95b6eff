/** Importing and exporting: the list of followed channels, and the archive with everything a person has. */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createBrotliCompress, createGzip } from 'node:zlib'
import { type Context, Hono } from 'hono'
import {
  archiveOf,
  beginImport,
  channelsOfLines,
  exportChannels,
  exportGrouped,
  importWithLines,
  retryImport,
} from '../../domain/imports/imports.ts'
import { DomainError } from '../../errors.ts'
import { currentTime } from '../../runtime/clock.ts'
import { Archive, ArchiveQuery } from '../../schema/imports/archive.ts'
import {
  archive_type,
  Export,
  Import,
  ImportRequest,
  ImportStatus,
  list_file_types,
  max_list_lines,
} from '../../schema/imports/import.ts'
import { ImportChanged, ImportPage } from '../../views/imports/import-page.tsx'
import { ImportsPage } from '../../views/imports/imports-page.tsx'
import { mediaTypeOf } from '../http/body-limits.ts'
import { type Env, isFragment } from '../http/context.ts'
import { attachment } from '../http/disposition.ts'
import { encodingFor } from '../http/encoding.ts'
import { accepted, ok, operation, validJson, validQuery } from '../http/operation.ts'
import { pageOf } from '../http/page.ts'
import { withUpload } from '../http/upload.ts'
import { errorsAt, formPage, orRefusal } from '../http/valid.ts'

/** An import whose body is the file itself. A body of another type is left to the route that takes JSON. */
export const importFileApi = new Hono<Env>().post('/import', async (c, next) => {
  if (!list_file_types.includes(mediaTypeOf(c))) return next()
  const { library } = c.var
  return c.json(await withUpload(c, ({ file = new Uint8Array() }) => beginImport(library, file)), 202)
})

export const importsApi = new Hono<Env>()
  .post(
    '/import',
    operation(
      "Import a list of channels or a watch history: OPML, Google Takeout, another app's file, or one address on each line",
      accepted(Import, 'The import, which follows its channels one after another'),
      {
        description:
          'Send up to 2 MB of text as JSON, or the file itself of up to 512 MB, which may be a ZIP or gzip archive. A watch history becomes marks, also of videos that appear later.',
        files: list_file_types,
        errors: [409],
      },
    ),
    validJson(ImportRequest),
    async c => c.json(await beginImport(c.var.library, c.req.valid('json').text), 202),
  )

  .get(
    '/import/:import_id',
    operation('Show the progress of an import, line by line', ok(ImportStatus, 'Failed lines come first')),
    async c => {
      const { imported, lines } = await importWithLines(c.var.library, c.req.param('import_id'), max_list_lines)
      return c.json({ ...imported, lines })
    },
  )

  .post(
    '/import/:import_id/retry',
    operation('Try the failed lines of an import again', accepted(Import, 'The progress of the import')),
    async c => c.json(await retryImport(c.var.library, c.req.param('import_id')), 202),
  )

  .get(
    '/export',
    operation('Export the channels you follow, in a form that an import accepts', ok(Export, 'Ordered by title')),
    async c => c.json(await exportChannels(c.var.library)),
  )

export const archiveApi = new Hono<Env>()
  .get(
    '/archive',
    operation(
      'Export everything you have, in a form that another Backlot imports',
      ok(Archive, 'One item in each line'),
      {
        description:
          'Settings, channels with their rules, videos, what you watched, positions and which files are never deleted. Without files, pictures and anything secret. The answer is a stream: a document that breaks off is not valid JSON.',
      },
    ),
    c => {
      const encoding = c.req.method === 'HEAD' ? undefined : encodingFor(c.req.header('accept-encoding'))
      return c.body(streamOf(archiveOf(c.var.library, currentTime()), encoding), 200, {
        'Content-Type': archive_type,
        'Content-Disposition': attachment('backlot archive', 'json'),
        // Compressed here, because other answers are compressed as a whole.
        ...(encoding && { 'Content-Encoding': encoding, Vary: 'Accept-Encoding' }),
      })
    },
  )

  .post(
    '/archive',
    operation(
      'Import what another Backlot has exported',
      accepted(Import, 'The import. It imports one part after another.'),
      {
        description:
          'Merges the document with what you have: nothing is deleted, what is missing is added, and of two marks the newer one counts. An item that does not fit is left out and named by the import, which takes the others; fields of other versions are ignored. It may have 512 MB, and may be packed with gzip or ZIP. Rules apply to videos that are published afterwards. Feeds are checked by their usual schedule.',
        body: Archive,
        files: list_file_types,
        errors: [409, 429],
      },
    ),
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
  const source = Readable.from(texts, { objectMode: false, highWaterMark: 1 })
  if (encoding === undefined) return Readable.toWeb(source) as ReadableStream
  const compress =
    encoding === 'gzip'
      ? createGzip({ level: 6 })
      : createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })
  // A client that leaves ends the pipeline, and a failed query breaks the answer off.
  pipeline(source, compress).catch(() => {})
  return Readable.toWeb(compress) as ReadableStream
}

export const importsPages = new Hono<Env>()
  .get('/import', c => importPage(c, ''))

  .post('/import', async c => {
    const begun = await withUpload(c, async ({ file, fields }) => {
      const { text = '', downloads } = fields
      const imported = await orRefusal(beginImport(c.var.library, file ?? text, { downloads: downloads !== undefined }))
      return imported instanceof DomainError ? importPage(c, text, imported) : imported
    })
    return begun instanceof Response ? begun : c.redirect(`/import/${begun.import_id}`, 303)
  })

  .get('/export.opml', async c => {
    const { groups, others } = await exportGrouped(c.var.library)
    // Loaded with the first export.
    const { opmlOf } = await import('../../feed/lists/opml.ts')
    return c.body(opmlOf(others, currentTime(), groups), 200, {
      'Content-Type': 'text/x-opml; charset=utf-8',
      'Content-Disposition': attachment('backlot channels', 'opml'),
    })
  })

  .get('/export.json', async c =>
    c.json(await exportChannels(c.var.library), 200, {
      'Content-Disposition': attachment('backlot channels', 'json'),
    }),
  )

async function importPage(c: Context<Env>, text: string, refusal?: DomainError): Promise<Response> {
  const recent = await c.var.library.imports.list()
  const error = errorsAt('text', refusal).text
  return formPage(c, <ImportsPage page={pageOf(c)} recent={recent} text={text} error={error} />, refusal)
}

/** Lines on the page of an import; failed lines come first. */
const max_lines_shown = 200

/** How far one import is, and trying its failed lines again. */
export const importPages = new Hono<Env>()
  .get('/:import_id', async c => {
    const found = await importWithLines(c.var.library, c.req.param('import_id'), max_lines_shown)
    const { imported } = found
    const channels = await channelsOfLines(c.var.library, found.lines)
    const lines = found.lines.map(line => ({ ...line, channel: channels.get(line.channel_id ?? '') }))
    return c.render(
      isFragment(c) ? (
        <ImportChanged imported={imported} lines={lines} />
      ) : (
        <ImportPage page={pageOf(c)} imported={imported} lines={lines} />
      ),
    )
  })

  .post('/:import_id/retry', async c => {
    const { import_id } = await retryImport(c.var.library, c.req.param('import_id'))
    return c.redirect(`/import/${import_id}`, 303)
  })
