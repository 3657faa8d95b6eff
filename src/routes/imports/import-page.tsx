/** The page of one import: how far it is, and trying its failed lines again. */
import { Hono } from 'hono'
import { importWithLines, retryImport } from '../../domain/imports/imports.ts'
import { ImportChanged, ImportPage } from '../../views/imports/import-page.tsx'
import { type Env, isFragment } from '../http/context.ts'
import { pageOf } from '../http/page.ts'

/** Lines shown on the page; failed ones come first. */
const most_shown = 200

export const importPages = new Hono<Env>()
  .get('/:import_id', async c => {
    const { imported, lines } = await importWithLines(c.var.library, c.req.param('import_id'), most_shown)
    return c.html(
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
