/** Requesting downloads while videos are saved. */
import { expect, it } from 'vitest'
import { downloadKey } from '../../../src/db/queue/queue.ts'
import { aLockIsWaitedFor, useDatabase } from '../../support/app/database.ts'
import { entry, personWith } from '../../support/app/people.ts'

const { sql } = useDatabase({ connections: 4 })

/** Stops the first update of a video, of anyone, until the function that is returned is called. */
async function stopFirstUpdate() {
  const holder = await sql.reserve()
  await holder`select pg_advisory_lock(1)`
  await sql.unsafe(`
    create sequence updates;
    create function wait_once() returns trigger language plpgsql as $$
    begin
      if nextval('updates') = 1 then perform pg_advisory_xact_lock_shared(1); end if;
      return null;
    end
    $$;
    create trigger wait_once before update on video_entries execute function wait_once()`)
  return async () => {
    await holder`select pg_advisory_unlock(1)`
    holder.release()
  }
}

it('a video that is saved while it is requested is either requested with a job or not at all', async () => {
  const alice = await personWith(sql, 'alice', 'kitchen', ['v2'])
  const goOn = await stopFirstUpdate()

  // It has read which videos there are, and waits before it changes them.
  const requesting = alice.library.downloads.request(['v1', 'v2'])
  await aLockIsWaitedFor(sql)
  await alice.library.channels.addVideo({ channel_id: 'kitchen', title: 'Kitchen' }, entry('v1'))
  await goOn()

  expect([...(await requesting)]).toEqual([
    ['v1', 'not_found'],
    ['v2', 'queued'],
  ])
  const rows = await sql`
    select   video_id, download_requested_at is not null as is_requested, download_asked_by
    from     video_entries
    where    user_id = ${alice.user.user_id}
    order by video_id`
  expect([...rows]).toEqual([
    { video_id: 'v1', is_requested: false, download_asked_by: null },
    { video_id: 'v2', is_requested: true, download_asked_by: 'person' },
  ])
  const key = downloadKey({ user_id: alice.user.user_id, video_id: 'v1' })
  expect(await sql`select from graphile_worker.jobs where key = ${key}`).toHaveLength(0)
})
