/** A migration and a reader that each wait for a table of the other: the migration gives way, because it can be tried again. */
import { expect, it } from 'vitest'
import { aLockIsWaitedFor, useDatabase } from '../../support/app/database.ts'
import { newerCheckout } from '../../support/process/newer.ts'
import { runRole } from '../../support/process/processes.ts'
import { newFolder } from '../../support/run/new-folder.ts'

const db = useDatabase({ connections: 4 })
const folder = newFolder()

it('no reader fails because a migration locks its tables in another order', async () => {
  const checkout = await newerCheckout(folder)
  const [isHeld, mayPass] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  // The migration changes `users`, waits here for `sessions`, and then changes `video_entries`.
  const between = db.sql.begin(async tx => {
    await tx`lock table sessions in access share mode`
    isHeld.resolve()
    await mayPass.promise
  })
  await isHeld.promise
  const { migrated } = await db.sql.begin(async tx => {
    await tx`lock table video_entries in access share mode`
    const migrated = runRole('migrate', { DATABASE_URL: db.url }, { cwd: checkout })
    await aLockIsWaitedFor(db.sql)
    const found = tx`select from users`
    // On a busy machine the migration may have given up `users` by now.
    await Promise.race([found, aLockIsWaitedFor(db.sql, 2)])
    mayPass.resolve()
    await found
    // The transaction does not wait for it.
    return { migrated }
  })
  await between
  expect(await migrated).toMatchObject({ code: 0 })
})
