/** A migration and a reader that each wait for a table of the other: the migration gives way, because it can be tried again. */
import { expect, it, vi } from 'vitest'
import { useDatabase } from '../../support/app/database.ts'
import { newerCheckout } from '../../support/process/newer.ts'
import { runRole } from '../../support/process/processes.ts'
import { newFolder } from '../../support/run/new-folder.ts'

const db = useDatabase({ connections: 4 })
const folder = newFolder()

/** Throws while no one has, or waits for, a lock of the table of this mode. */
async function seesLock(table: string, mode: 'AccessExclusiveLock' | 'AccessShareLock', granted: boolean) {
  const found = await db.sql`
    select from pg_locks where relation = ${table}::regclass and mode = ${mode} and granted = ${granted}`
  if (found.length === 0) throw new Error(`No ${mode} of ${table} is ${granted ? 'held' : 'waited for'}.`)
}

it('no reader fails because a migration locks its tables in another order', async () => {
  const checkout = await newerCheckout(folder)
  const [isHeld, mayPass] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  // The migration changes users, then sessions, and then video_entries.
  const between = db.sql.begin(async tx => {
    await tx`lock table sessions in access share mode`
    isHeld.resolve()
    await mayPass.promise
  })
  await isHeld.promise
  const { migrated } = await db.sql.begin(async tx => {
    await tx`lock table video_entries in access share mode`
    const migrated = runRole('migrate', { DATABASE_URL: db.url }, { cwd: checkout })
    await vi.waitFor(() => seesLock('users', 'AccessExclusiveLock', true), { interval: 10 })
    let is_read = false
    const found = tx`select from users`.then(() => {
      is_read = true
    })
    // On a busy machine the migration may have given up `users` by now.
    await vi.waitFor(() => (is_read ? undefined : seesLock('users', 'AccessShareLock', false)), { interval: 5 })
    mayPass.resolve()
    await found
    // The transaction does not wait for it.
    return { migrated }
  })
  await between
  expect(await migrated).toMatchObject({ code: 0 })
})
