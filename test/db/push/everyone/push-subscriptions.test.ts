/** The requests to hubs, while several workers send them. */
import { expect, it } from 'vitest'
import { beginRequest, noteRefusedRequest, useHubs } from '../../../../src/db/push/everyone/push-subscriptions.ts'
import { useDatabase } from '../../../support/app/database.ts'
import { person } from '../../../support/app/people.ts'

const { sql } = useDatabase()

it('two refusals of one hub at the same time do not wait for each other', async () => {
  const { library } = await person(sql, 'alice')
  const ids = ['a', 'b'].map(letter => letter.repeat(32))
  for (const push_id of ids) {
    const rss_url = `https://h.example/${push_id}`
    await library.channels.save({ channel_id: push_id, title: 'c', rss_url }, [])
    await useHubs(sql, [{ rss_url, hub: 'https://hub.example/', topic: rss_url, push_id, secret: 's' }])
    await beginRequest(sql, push_id, 'https://tv.example.org/push/')
  }
  await sql`update push_subscriptions set next_attempt_at = now()`
  const [first = '', second = ''] = ids
  await sql.begin(async tx => {
    // The other worker has just noted its own refusal.
    await tx`update push_subscriptions set state = 'failed' where push_id = ${second}`
    await noteRefusedRequest(sql, first, 3600)
    await tx`update push_subscriptions set state = 'failed' where push_id = ${first}`
  })
  const rows =
    await sql`select push_id, next_attempt_at > now() + interval '30 minutes' as waits from push_subscriptions order by push_id`
  expect(rows).toMatchObject([
    { push_id: first, waits: true },
    { push_id: second, waits: false },
  ])
})
