/** On a read-only database, as a standby is: people who were signed in before still read everything. */
import { describe, expect, it } from 'vitest'
import { administration } from '../../support/app/administration.ts'
import { useApp } from '../../support/app/app.ts'
import { pages } from '../../support/app/pages.ts'
import { person } from '../../support/app/people.ts'
import { behind_proxy, proxied } from '../../support/app/proxied.ts'
import { addFacts, addOpenedByName, known_token, scene } from '../../support/app/scene.ts'
import { tokensThrough } from '../../support/app/tokens.ts'

describe('while the database takes no changes', () => {
  const feed = { channel_id: 'found', title: 'Found Kitchen', entries: [], skipped: 0 }
  // One connection, which becomes read-only.
  const app = useApp({ connections: 1, findFeed: async rss_url => ({ rss_url, feed }) })
  const behind = useApp({ ...behind_proxy, connections: 1 })

  it('every page is shown, also to a session whose use would be noted and whose end would move', async () => {
    const { ask, sql, folder } = app
    const [alice, newcomer] = [await scene(sql, folder), await person(sql, 'newcomer')]
    await addFacts(alice, folder)
    await addOpenedByName(sql, alice)
    const admin = await administration(sql)
    // Makes the keys for messages to browsers.
    await ask('/settings/notifications', { as: admin })
    const token = await tokensThrough(app).tokenOf(alice)
    await sql`update sessions set used_at = now() - interval '1 day', expires_at = now() + interval '1 day'`
    await sql`set default_transaction_read_only = on`

    const refused: string[] = []
    for (const { path, status = 200, ...as } of Object.values(pages).flat()) {
      const who = as.no_channels ? newcomer : as.as_administrator ? admin : alice
      const answer = await ask(path, as.signed_out ? {} : { as: who })
      if (answer.status !== status) refused.push(`${path}: ${answer.status}`)
    }
    expect(refused).toEqual([])
    const withToken = await ask('/api/channels', { headers: { Authorization: `Bearer ${token}` } })
    expect([withToken.status, (await ask(`/s/${known_token}`)).status]).toEqual([200, 200])
  })

  it('a session that is over asks for a new sign-in', async () => {
    const { ask, sql } = behind
    const bob = await person(sql, 'bob')
    await sql`update sessions set expires_at = now() - interval '1 minute' where user_id = ${bob.user.user_id}`
    await sql`set default_transaction_read_only = on`
    expect((await ask('/api/channels', { as: bob })).status).toBe(401)
    await sql`set default_transaction_read_only = off`
  })

  it('the person whom a proxy names reads', async () => {
    const { nameAs, linked } = proxied(behind)
    const { username } = (await linked('carol')).user
    await behind.sql`update identities set last_used_at = null`
    await behind.sql`set default_transaction_read_only = on`
    expect(await nameAs(username)).toBe(username)
  })
})
