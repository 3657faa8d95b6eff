/** The disk space of a person's files, and freeing it. */
import { Hono } from 'hono'
import {
  deleteFilesOfChannel,
  deleteWatched,
  filesOfChannel,
  filesToDelete,
  spaceShown,
} from '../../domain/downloads/space.ts'
import { currentTime } from '../../runtime/clock.ts'
import {
  DeletedFiles,
  DeleteWatchedForm,
  DeleteWatchedRequest,
  SpaceQuery,
  SpaceShown,
} from '../../schema/downloads/space.ts'
import { pathWith } from '../../schema/http/paths.ts'
import type { Store } from '../../store/files.ts'
import { DeleteChannelFilesPage } from '../../views/downloads/delete-files-page.tsx'
import { SpacePage } from '../../views/downloads/space-page.tsx'
import { goTo } from '../http/answers.tsx'
import type { Env } from '../http/context.ts'
import { ok, operation, validJson } from '../http/operation.ts'
import { pageOf } from '../http/page.ts'
import { valid } from '../http/valid.ts'
import { deletedSaid } from './many-downloads-routes.tsx'

export const spaceApi = (store: Store) =>
  new Hono<Env>()
    .get(
      '/space',
      operation(
        'Show what your files take on the disk, by channel, and what deleting watched ones would free',
        ok(SpaceShown, 'Channels with files, the largest first'),
      ),
      async c => c.json(await spaceShown(c.var.library, store.files, store.bin.quota_bytes)),
    )

    .post(
      '/space/delete-watched',
      operation('Delete the files of videos that were watched long ago', ok(DeletedFiles, 'What was deleted'), {
        description: 'Pinned files, and those that their sites no longer have, stay. The videos stay in your list.',
      }),
      validJson(DeleteWatchedRequest),
      async c => c.json(await deleteWatched(c.var.library, store, c.req.valid('json').older_than_days)),
    )

export const spacePages = (store: Store) =>
  new Hono<Env>()
    .get('/', valid('query', SpaceQuery), async c => {
      const { library } = c.var
      const { days, all } = c.req.valid('query')
      const [space, lists] = await Promise.all([
        spaceShown(library, store.files, store.bin.quota_bytes),
        filesToDelete(library, days),
      ])
      return c.render(<SpacePage page={pageOf(c)} space={space} days={days} all={all !== undefined} {...lists} />)
    })

    .post('/delete-watched', valid('form', DeleteWatchedForm), async c => {
      const { older_than_days } = c.req.valid('form')
      const deleted_at = currentTime()
      const deleted = await deleteWatched(c.var.library, store, older_than_days, deleted_at)
      const path = pathWith('/space', { days: older_than_days === 30 ? undefined : String(older_than_days) })
      return goTo(c, path, deletedSaid(store.bin, deleted, deleted_at))
    })

    .get('/channels/:channel_id/delete', async c =>
      c.render(
        <DeleteChannelFilesPage
          page={pageOf(c)}
          {...(await filesOfChannel(c.var.library, c.req.param('channel_id')))}
        />,
      ),
    )

    .post('/channels/:channel_id/delete', async c => {
      const deleted_at = currentTime()
      const channel_id = c.req.param('channel_id')
      const deleted = await deleteFilesOfChannel(c.var.library, store, channel_id, deleted_at)
      return goTo(c, '/space', deletedSaid(store.bin, deleted, deleted_at))
    })
