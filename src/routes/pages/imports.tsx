/** The page that starts an import, and the exports of all channels as files. The JSON routes are in `api/imports.ts`. */
import type { Context } from 'hono'
import { Hono } from 'hono'
import { beginImport, exportChannels } from '../../domain/imports/imports.ts'
import { DomainError } from '../../errors.ts'
import { opmlOf } from '../../feed/lists/write-opml.ts'
import { ImportForm } from '../../schema/import.ts'
import { ImportsPage } from '../../views/pages/imports.tsx'
import type { Env } from '../middleware/context.ts'
import { attachment } from '../middleware/disposition.ts'
import { pageOf } from '../middleware/render.tsx'
import { valid } from '../middleware/valid.ts'

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
