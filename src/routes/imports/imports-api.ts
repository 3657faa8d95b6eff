/** Importing and exporting the list of followed channels, as JSON. */
import { Hono } from 'hono'
import { beginImport, exportChannels, importWithLines, retryImport } from '../../domain/imports/imports.ts'
import {
  Export,
  Import,
  ImportRequest,
  ImportStatus,
  list_file_types,
  max_list_lines,
} from '../../schema/imports/import.ts'
import { mediaTypeOf } from '../http/body-limits.ts'
import type { Env } from '../http/context.ts'
import { describeRoute, validJson } from '../http/operation.ts'
import { withUpload } from '../http/upload.ts'

/** A body that is the file itself. Any other body is left to the route that takes JSON. */
export const importFiles = new Hono<Env>().post('/import', async (c, next) => {
  if (!list_file_types.includes(mediaTypeOf(c))) return next()
  const { library } = c.var
  return c.json(await withUpload(c, ({ file = new Uint8Array() }) => beginImport(library, file)), 202)
})

export const imports = new Hono<Env>()
  .post(
    '/import',
    describeRoute({
      summary:
        "Import a list of channels or a watch history: OPML, Google Takeout, another app's file, or one address on each line",
      description:
        'Send up to 2 MB of text as JSON, or the file itself of up to 512 MB, which may be a ZIP or gzip archive. A watch history becomes marks, also of videos that appear later.',
      files: list_file_types,
      responses: { 202: { description: 'The import, which follows its channels one after another', schema: Import } },
      errors: [409],
    }),
    validJson(ImportRequest),
    async c => c.json(await beginImport(c.var.library, c.req.valid('json').text), 202),
  )

  .get(
    '/import/:import_id',
    describeRoute({
      summary: 'Show the progress of an import, line by line',
      responses: { 200: { description: 'Failed lines come first', schema: ImportStatus } },
    }),
    async c => {
      const { imported, lines } = await importWithLines(c.var.library, c.req.param('import_id'), max_list_lines)
      return c.json({ ...imported, lines })
    },
  )

  .post(
    '/import/:import_id/retry',
    describeRoute({
      summary: 'Try the failed lines of an import again',
      responses: { 202: { description: 'The progress of the import', schema: Import } },
    }),
    async c => c.json(await retryImport(c.var.library, c.req.param('import_id')), 202),
  )

  .get(
    '/export',
    describeRoute({
      summary: 'Export the channels you follow, in a form that an import accepts',
      responses: { 200: { description: 'Ordered by title', schema: Export } },
    }),
    async c => c.json(await exportChannels(c.var.library)),
  )
