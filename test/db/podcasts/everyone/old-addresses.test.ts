import { expect, it } from 'vitest'
import { forgetOldAddresses } from '../../../../src/db/podcasts/everyone/old-addresses.ts'
import { useDatabase } from '../../../support/app/database.ts'
import { follows, type Person, person } from '../../../support/app/people.ts'

const { sql } = useDatabase()

const addresses = async ({ user }: Person) =>
  (await sql<{ hash: string }[]>`select hash from links where user_id = ${user.user_id} order by hash`).map(
    ({ hash }) => hash,
  )

it('forgets addresses that were never used for a month, and those of podcasts that are gone for good with their channel', async () => {
  const alice = await person(sql, 'alice')
  await follows(alice, 'gone', [])
  await follows(alice, 'here', [])
  const add = (channel_id: string, hash: string) =>
    alice.library.podcasts.add({ of: { channel_id }, kind: 'video', newest: 50 }, hash)
  const named = (name: string) => `${name} of ${alice.user.user_id}`
  for (const name of ['new', 'unused', 'used']) await add('here', named(name))
  await add('gone', named('gone'))
  await follows(alice, 'in the bin', [])
  await add('in the bin', named('binned'))
  await sql`
    update links
    set    created_at = now() - interval '31 days',
           last_used_at = case when hash = ${named('used')} then now() - interval '30 days' end
    where  hash in (${named('unused')}, ${named('used')})`
  await alice.library.channels.remove('gone', false)
  await alice.library.channels.remove('in the bin', true)

  await forgetOldAddresses(sql)

  expect(await addresses(alice)).toEqual([named('binned'), named('new'), named('used')])
})
