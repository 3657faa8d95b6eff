/** The page that starts an import, the page of one import, and the exports of all channels as files. */
import { type Context, Hono } from 'hono'
import {
  beginImport,
  channelsOfLines,
  exportChannels,
  importWithLines,
  retryImport,
} from '../../domain/imports/imports.ts'
import { DomainError } from '../../errors.ts'
import { currentTime } from '../../runtime/clock.ts'
import { ImportForm } from '../../schema/imports/import.ts'
import { ImportChanged, ImportPage } from '../../views/imports/import-page.tsx'
import { ImportsPage } from '../../views/imports/imports-page.tsx'
import { type Env, isFragment } from '../http/context.ts'
import { attachment } from '../http/disposition.ts'
import { pageOf } from '../http/page.ts'
import { withUpload } from '../http/upload.ts'
import { errorsAt, formPage, orRefusal } from '../http/valid.ts'

export const importsPages = new Hono<Env>()
  .get('/import', c => importPage(c, ''))

  .post('/import', async c => {
    const begun = await withUpload(c, async ({ file, fields }) => {
      const { text = '', downloads } = ImportForm.parse(fields)
      const imported = await orRefusal(beginImport(c.var.library, file ?? text, { downloads: downloads !== undefined }))
      return imported instanceof DomainError ? importPage(c, text, imported) : imported
    })
    return begun instanceof Response ? begun : c.redirect(`/import/${begun.import_id}`, 303)
  })

  .get('/export.opml', async c => {
    const { channels } = await exportChannels(c.var.library)
    // Loaded with the first export.
    const { opmlOf } = await import('../../feed/lists/opml.ts')
    return c.body(opmlOf(channels, currentTime()), 200, {
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
