/** The pages that bring a list of channels along and take one away; the same as JSON stands in `api-imports.ts`. */
import type { Context } from 'hono'
import { Hono } from 'hono'
import { beginImport, exportChannels, importWithLines, retryImport } from '../../domain/imports/imports.ts'
import { DomainError } from '../../errors.ts'
import { opmlOf } from '../../feed/lists/write-opml.ts'
import { ImportForm } from '../../schema/import.ts'
import { ImportsPage } from '../../views/pages/imports.tsx'
import { ImportChanged, ImportPage } from '../../views/parts/import-progress.tsx'
import { type Env, isFragment } from '../middleware/context.ts'
import { attachment } from '../middleware/disposition.ts'
import { pageOf } from '../middleware/render.tsx'
import { valid } from '../middleware/valid.ts'

/** Lines shown on the page of an import; those that failed come first. */
const most_shown = 200

export const imports = new Hono<Env>()
  .get('/import', c => formPage(c))

  .post('/import', valid('form', ImportForm), async c => {
    const { file, text } = c.req.valid('form')
    try {
      const given = file ? new Uint8Array(await file.arrayBuffer()) : text
      const { import_id } = await beginImport(c.var.library, given)
      return c.redirect(`/import/${import_id}`, 303)
    } catch (fault) {
      if (!(fault instanceof DomainError)) throw fault
      return formPage(c, { text, fault })
    }
  })

  .get('/import/:import_id', async c => {
    const { imported, lines } = await importWithLines(c.var.library, c.req.param('import_id'), most_shown)
    return c.html(
      isFragment(c) ? (
        <ImportChanged imported={imported} lines={lines} />
      ) : (
        <ImportPage page={pageOf(c)} imported={imported} lines={lines} />
      ),
    )
  })

  .post('/import/:import_id/retry', async c => {
    const { import_id } = await retryImport(c.var.library, c.req.param('import_id'))
    return c.redirect(`/import/${import_id}`, 303)
  })

  .get('/export.opml', async c => {
    const { channels } = await exportChannels(c.var.library)
    return c.body(opmlOf(channels, new Date()), 200, {
      'Content-Type': 'text/x-opml; charset=utf-8',
      'Content-Disposition': attachment('backlot channels', 'opml'),
    })
  })

  .get('/export.json', async c =>
    c.json(await exportChannels(c.var.library), 200, {
      'Content-Disposition': attachment('backlot channels', 'json'),
    }),
  )

async function formPage(c: Context<Env>, refused?: { text: string; fault: DomainError }): Promise<Response> {
  const recent = await c.var.library.imports.list()
  const error = refused?.fault.fields.text ?? refused?.fault.message
  const page = <ImportsPage page={pageOf(c)} recent={recent} text={refused?.text ?? ''} error={error} />
  return c.html(page, refused?.fault.status ?? 200)
}
