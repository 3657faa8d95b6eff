/** The page of disk space, and deleting the videos that were watched long ago. */
import { Hono } from 'hono'
import { deleteWatched, filesToDelete, spaceShown } from '../../domain/downloads/space.ts'
import type { BinLimits } from '../../schema/bin.ts'
import { DeleteWatchedForm, SpaceQuery } from '../../schema/space.ts'
import type { Files } from '../../store/files.ts'
import { SpacePage } from '../../views/pages/space.tsx'
import { bytesWords, countWords, pathWith } from '../../views/parts/words.ts'
import type { Env } from '../middleware/context.ts'
import { setFlash } from '../middleware/flash.ts'
import { pageOf } from '../middleware/render.tsx'
import { valid } from '../middleware/valid.ts'

export const spacePages = (files: Files, bin: BinLimits, quota_bytes: number | null) =>
  new Hono<Env>()
    .get('/', valid('query', SpaceQuery), async c => {
      const { library } = c.var
      const { days, all } = c.req.valid('query')
      const [space, lists] = await Promise.all([spaceShown(library, files, quota_bytes), filesToDelete(library, days)])
      return c.html(<SpacePage page={pageOf(c)} space={space} days={days} all={all !== undefined} {...lists} />)
    })

    .post('/delete-watched', valid('form', DeleteWatchedForm), async c => {
      const { older_than_days } = c.req.valid('form')
      const deleted_at = new Date()
      const deleted = await deleteWatched(c.var.library, files, bin, older_than_days, deleted_at)
      const undo = { do: 'restore_deleted', deleted_at: deleted_at.toISOString() } as const
      setFlash(c, { kind: 'done', text: deletedWords(deleted), ...(bin.hours > 0 && deleted.files > 0 && { undo }) })
      return c.redirect(pathWith('/space', { days: older_than_days === 30 ? undefined : String(older_than_days) }), 303)
    })

/** "14 videos deleted, 6.2 GB." */
function deletedWords({ files, bytes, left }: { files: number; bytes: number; left: number }): string {
  if (files === 0) return 'Nothing left to delete.'
  const rest = left > 0 ? ` ${countWords(left, 'video')} left: press Delete again.` : ''
  return `${countWords(files, 'video')} deleted, ${bytesWords(bytes)}.${rest}`
}
