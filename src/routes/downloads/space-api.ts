/** The disk space of a person's files, and freeing it, as JSON. */
import { Hono } from 'hono'
import { deleteWatched, spaceShown } from '../../domain/downloads/space.ts'
import type { BinLimits } from '../../schema/bin/bin.ts'
import { DeletedFiles, DeleteWatchedRequest, SpaceShown } from '../../schema/downloads/space.ts'
import type { Files } from '../../store/files.ts'
import type { Env } from '../http/context.ts'
import { ok, operation, validJson } from '../http/operation.ts'

export const spaceApi = (files: Files, bin: BinLimits) =>
  new Hono<Env>()
    .get(
      '/space',
      operation(
        'Show what your files take on the disk, by channel, and what deleting watched ones would free',
        ok(SpaceShown, 'Channels with files, the largest first'),
      ),
      async c => c.json(await spaceShown(c.var.library, files, bin.quota_bytes)),
    )

    .post(
      '/space/delete-watched',
      operation('Delete the files of videos that were watched long ago', ok(DeletedFiles, 'What was deleted'), {
        description: 'Pinned files, and those that their sites no longer have, stay. The videos stay in your list.',
      }),
      validJson(DeleteWatchedRequest),
      async c => c.json(await deleteWatched(c.var.library, files, bin, c.req.valid('json').older_than_days)),
    )
