/** Buttons that bring deleted files back. */
import { Hono } from 'hono'
import { restoreDeletedAt, restoreDownload } from '../../domain/bin/restore.ts'
import { DomainError } from '../../errors.ts'
import { type BinLimits, RestoreForm } from '../../schema/bin/bin.ts'
import { countWords } from '../../schema/values/words.ts'
import type { Files } from '../../store/files.ts'
import { back, setFlash } from '../http/answers.tsx'
import { type Env, isFragment } from '../http/context.ts'
import { orRefusal, valid } from '../http/valid.ts'
import { cellChanged } from './cell-changed.tsx'

export const restoredDownloads = (files: Files, bin: BinLimits) =>
  new Hono<Env>()
    .post('/restore', valid('form', RestoreForm), async c => {
      const { deleted_at } = c.req.valid('form')
      const { restored, refusal } = await restoreDeletedAt(c.var.library, files, bin, deleted_at)
      const words = [restored > 0 ? `${countWords(restored, 'file')} restored.` : '', refusal?.message]
      const text = words.filter(Boolean).join(' ') || 'There is nothing left to restore.'
      setFlash(c, { kind: refusal ? 'problem' : 'done', text })
      return back(c, '/downloads')
    })

    .post('/:video_id/restore', async c => {
      const restoring = restoreDownload(c.var.library, files, bin, c.req.param('video_id'))
      // htmx shows a refusal as a message. A form without a script returns to its page, which shows it.
      const restored = await (isFragment(c) ? restoring : orRefusal(restoring, ['gone', 'conflict', 'invalid']))
      if (restored instanceof DomainError) {
        setFlash(c, { kind: 'problem', text: restored.message })
        return back(c, '/downloads')
      }
      return cellChanged(c, restored, { kind: 'done', text: 'Restored.' })
    })
