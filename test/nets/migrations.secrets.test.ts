/** The migration to one table of secrets, while versions before it run beside. */
import { hash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { secretsIn } from '../../src/db/account/secrets.ts'
import { migrateDown, migrateUp } from '../../src/db/postgres/migrations.ts'
import { UserId } from '../../src/schema/values/user.ts'
import { useDatabase } from '../support/app/database.ts'

const db = useDatabase()
const { sql } = db
const { make, open, spend } = secretsIn(sql)
const video_id = 'v1'
const podcast_id = '11111111-1111-4111-8111-111111111111'
const tokens = Object.fromEntries(
  ['play', 'podcast', 'invitation', 'reset', 'oidc'].map((kind, nth) => [kind, `${nth}`.repeat(64)]),
)
const token = `backlot_${'f'.repeat(64)}`
const hashOf = (kind: string) => hash('sha256', tokens[kind] ?? '')
let user_id: UserId

/** The rows of the earlier tables, by kind. They call the address of a podcast a feed. */
const earlier = () => sql`
  select case kind when 'feed' then 'podcast' else kind end as kind, hash from links
  union all select 'token', hash from api_tokens
  union all select 'invitation', hash from invitations
  union all select 'reset', hash from password_resets
  union all select purpose, hash from sign_in_attempts
  order by kind, hash`
const secrets = () => sql`select kind, hash from secrets order by kind, hash`

/** Undoes the migration, and those after it. */
async function undo(): Promise<void> {
  let taken = await migrateDown(db.url)
  while (taken && !taken.startsWith('000034')) taken = await migrateDown(db.url)
}

beforeAll(async () => {
  await undo()
  const [user] = await sql`insert into users (username, password_hash) values ('alice', 'not a hash') returning id`
  user_id = UserId.parse(user?.id)
  const expires_at = new Date(Date.now() + 3_600_000)
  await sql`insert into links ${sql({ user_id, hash: hashOf('play'), kind: 'play', video_id, expires_at })}`
  await sql`insert into links ${sql({ user_id, hash: hashOf('podcast'), kind: 'feed', feed_id: podcast_id })}`
  await sql`insert into api_tokens ${sql({ user_id, hash: hash('sha256', token), name: 'phone', scope: 'write' })}`
  await sql`insert into invitations ${sql({ hash: hashOf('invitation'), note: 'for Ana', made_by: user_id, expires_at })}`
  await sql`insert into password_resets ${sql({ user_id, hash: hashOf('reset'), expires_at })}`
  const attempt = { hash: hashOf('oidc'), purpose: 'oidc', details: sql.json({ next: '/' }), expires_at }
  await sql`insert into sign_in_attempts ${sql(attempt)}`
  await migrateUp(db.url)
})

describe('a secret from before the update', () => {
  it.each([
    ['play', { opens: { video_id }, user: { username: 'alice' } }],
    ['podcast', { opens: { podcast_id }, user: { username: 'alice' }, expires_at: null }],
    ['invitation', { name: 'for Ana', user: null }],
    ['reset', { user: { username: 'alice' } }],
    ['oidc', { opens: { next: '/' }, user: null }],
  ] as const)('opens what it opened: %s', async (kind, expected) => {
    expect(await open([kind], tokens[kind] ?? '')).toMatchObject(expected)
  })

  it('opens the API with the name, the scope and the id that it had', async () => {
    const found = await open(['token'], token)
    expect(found).toMatchObject({ name: 'phone', opens: { scope: 'write' }, expires_at: null })
    expect(await sql`select id from api_tokens`).toEqual([{ id: found?.secret_id }])
  })
})

describe('while an older version runs beside', () => {
  it('opens what the older version makes, and no longer what that ends or replaces', async () => {
    await sql`update links set last_used_at = '2026-01-01T00:00:00Z' where kind = 'feed'`
    const [used] = await sql`select last_used_at from secrets where kind = 'podcast'`
    expect(used).toEqual({ last_used_at: new Date('2026-01-01T00:00:00Z') })

    await sql`delete from invitations`
    const again = 'e'.repeat(64)
    await sql`
      insert into password_resets (user_id, hash, expires_at)
      values (${user_id}, ${hash('sha256', again)}, now() + interval '1 hour')
      on conflict (user_id) do update set hash = excluded.hash, expires_at = excluded.expires_at`
    expect(await open(['invitation'], tokens.invitation ?? '')).toBeUndefined()
    expect(await open(['reset'], tokens.reset ?? '')).toBeUndefined()
    expect(await open(['reset'], again)).toBeDefined()
    expect(await secrets()).toEqual(await earlier())
  })

  it('makes and ends for the older version what it makes and ends', async () => {
    const lasts_s = 60
    await make({ kind: 'token', user_id, opens: { scope: 'admin' }, name: 'desk', lasts_s: null })
    await make({ kind: 'share', user_id, opens: { video_id }, lasts_s })
    await make({ kind: 'podcast', user_id, opens: { podcast_id }, lasts_s: null })
    await make({ kind: 'invitation', user_id: null, made_by: user_id, opens: {}, name: 'for Bo', lasts_s })
    const reset = await make({ kind: 'reset', user_id, opens: {}, lasts_s })
    await make({ kind: 'new_passkey', user_id, opens: { challenge: 'c', name: 'key' }, lasts_s })
    await spend(['oidc'], tokens.oidc ?? '')

    expect(await earlier()).toEqual(await secrets())
    expect(await sql`select note, made_by from invitations`).toEqual([{ note: 'for Bo', made_by: user_id }])
    expect(await sql`select hash from password_resets`).toEqual([{ hash: hash('sha256', reset.token) }])
  })

  it('a use waits for no row of an earlier table, which a deletion of the person locks first', async () => {
    const { token } = await make({ kind: 'share', user_id, opens: { video_id }, lasts_s: 60 })
    await sql.begin(async tx => {
      await tx`select from links for update`
      expect(await open(['share'], token)).toBeDefined()
    })
    const used = sql`delete from secrets where hash = ${hash('sha256', token)} and last_used_at is not null returning kind`
    expect(await used).toEqual([{ kind: 'share' }])
  })

  it('ends the same for both when a role ends, and when a person is locked', async () => {
    await sql`insert into users (username, password_hash, role) values ('bob', 'not a hash', 'admin')`
    await sql`update users set role = 'member' where id = ${user_id}`
    expect(await secrets()).not.toContainEqual(expect.objectContaining({ kind: 'invitation' }))
    expect(await earlier()).toEqual(await secrets())
    await sql`update users set locked_at = now() where id = ${user_id}`
    expect((await secrets()).map(({ kind }) => kind)).toEqual(['play', 'podcast', 'podcast', 'share'])
    expect(await earlier()).toEqual(await secrets())
  })

  it('leaves every secret to the earlier tables when the migration is undone', async () => {
    const before = await secrets()
    await undo()
    expect(await earlier()).toEqual(before)
  })
})
