import { hash, randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { forgetOldSecrets } from '../../../../src/db/account/everyone/old-secrets.ts'
import { type SecretKind, secretsIn } from '../../../../src/db/account/secrets.ts'
import { useDatabase } from '../../../support/app/database.ts'
import { follows, person } from '../../../support/app/people.ts'

const { sql } = useDatabase()
const secrets = secretsIn(sql)

it('forgets what has expired, but for API tokens, which their owner still sees', async () => {
  const { user } = await person(sql, 'alice')
  const kinds: SecretKind[] = ['token', 'play', 'share', 'invitation', 'reset', 'oidc', 'passkey', 'new_passkey']
  for (const kind of kinds)
    for (const lasts_s of [-1, 60])
      await secrets.make({ kind, user_id: user.user_id, opens: { scope: 'read', video_id: 'v1' }, lasts_s } as never)

  await forgetOldSecrets(sql)

  const left = await sql`select kind from secrets where expires_at < now()`
  expect(left).toEqual([{ kind: 'token' }])
  expect(await sql`select from secrets`).toHaveLength(kinds.length + 1)
})

it('forgets addresses that were never used for a month, and those of podcasts that are gone for good', async () => {
  const alice = await person(sql, 'alice')
  const { channels, podcasts } = alice.library
  for (const channel_id of ['here', 'gone', 'in the bin']) await follows(alice, channel_id, [])
  const add = async (channel_id: string) => {
    const made = await podcasts.add({ of: { channel_id }, kind: 'video', newest: 50 }, () => randomUUID())
    if (typeof made !== 'object') throw new Error(`no podcast: ${made}`)
    return { ...made, hash: hash('sha256', made.token) }
  }
  const [fresh, unused, used, deleted] = [await add('here'), await add('here'), await add('here'), await add('here')]
  const [, binned] = [await add('gone'), await add('in the bin')]
  await sql`
    update secrets
    set    created_at = now() - interval '31 days',
           last_used_at = case when hash = ${used.hash} then now() - interval '30 days' end
    where  hash in (${unused.hash}, ${used.hash})`
  await channels.remove('gone', false)
  await channels.remove('in the bin', true)
  await podcasts.remove(deleted.podcast_id)

  await forgetOldSecrets(sql)

  const left = await sql<{ hash: string }[]>`
    select hash from secrets where user_id = ${alice.user.user_id} and kind = 'podcast'`
  expect(left.map(({ hash }) => hash).toSorted()).toEqual([binned.hash, fresh.hash, used.hash].toSorted())
})
