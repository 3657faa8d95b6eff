/** Import and export as JSON. */
import { Hono } from 'hono'
import { beginImport, exportChannels, importWithLines, retryImport } from '../../domain/imports/imports.ts'
import { ImportRequest, list_file_types, most_list_lines } from '../../schema/import.ts'
import type { Env } from '../middleware/context.ts'
import { jsonOnly, validJson } from '../middleware/valid.ts'

export const apiImports = new Hono<Env>()
  .post('/import', async (c, next) => {
    const [type = ''] = (c.req.header('content-type') ?? '').toLowerCase().split(/\s*;/)
    if (!list_file_types.includes(type)) return next()
    const file = new Uint8Array(await c.req.arrayBuffer())
    return c.json(await beginImport(c.var.library, file), 202)
  })

  .use(jsonOnly)

  .post('/import', validJson(ImportRequest), async c =>
    c.json(await beginImport(c.var.library, c.req.valid('json').text), 202),
  )

  .get('/import/:import_id', async c => {
    const { imported, lines } = await importWithLines(c.var.library, c.req.param('import_id'), most_list_lines)
    return c.json({ ...imported, lines })
  })

  .post('/import/:import_id/retry', async c => c.json(await retryImport(c.var.library, c.req.param('import_id')), 202))

  .get('/export', async c => c.json(await exportChannels(c.var.library)))
