/** The list of all people and the page of one person, by plain forms. */
import { describe, expect, it } from 'vitest'
import { useApp } from '../../support/app/app.ts'
import { administrator, follows, has, type Person, person } from '../../support/app/people.ts'
import { flashOf } from '../../support/app/sign-in.ts'

const app = useApp()
const { ask, sql, textAt } = app

const pathOf = ({ user }: Person) => `/admin/people/${user.username}`
const pageOf = async (path: string, as: Person) => {
  const answer = await ask(path, { as })
  expect([path, answer.status]).toEqual([path, 200])
  return answer.text()
}
/** Sends a form, which leads back to `to` with a message. */
async function told(path: string, form: Record<string, string>, as: Person, to: string): Promise<string> {
  const answer = await ask(path, { as, form })
  expect([path, answer.status, answer.headers.get('location')]).toEqual([path, 303, to])
  return flashOf(answer).text
}
const rowOf = async ({ user }: Person) =>
  (await sql`select role, locked_at is not null as locked, quota_gb from users where id = ${user.user_id}`)[0]

describe('the list of people', () => {
  it('names everybody with role, lock and bytes, and nothing of what they follow', async () => {
    const [admin, alice] = [await administrator(sql, 'admin'), await person(sql, 'alice')]
    await follows(alice, 'kitchen', ['v1', 'v2'])
    await has(alice, 'v1', 'a/v1.mp4', 3_000_000_000)
    await sql`update users set locked_at = now(), quota_gb = 20 where id = ${alice.user.user_id}`

    const list = await pageOf(`/admin?q=${alice.user.username}`, admin)
    const one = await pageOf(pathOf(alice), admin)

    for (const page of [list, one]) {
      for (const words of [alice.user.username, 'Member', 'locked', '3.0 GB of 20 GB']) expect(page).toContain(words)
      for (const secret of ['Video v1', 'kitchen', 'videos.example']) expect(page).not.toContain(secret)
    }
    expect(one).toContain('2 videos')
    expect(list).not.toContain(`>${admin.user.username}</a>`)
  })

  it('shows 50 people, and the others on the next pages, in each order', async () => {
    const admin = await administrator(sql, 'admin')
    await sql`
      insert into users (username, password_hash, last_seen_at)
      select 'many-' || n, 'not a hash', case when n % 3 > 0 then now() - n * interval '1 hour' end from generate_series(1, 120) n`
    for (const sort of ['name', 'last_visit', 'bytes', 'created']) {
      const names: string[] = []
      let next: string | undefined = `/admin?q=many&sort=${sort}`
      while (next !== undefined) {
        const page: string = await pageOf(next, admin)
        const here = [...page.matchAll(/href="\/admin\/people\/([^"]+)"/g)].map(([, name = '']) => name)
        expect(here.length).toBeLessThanOrEqual(50)
        names.push(...here)
        next = /rel="next" href="([^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&')
      }
      expect([sort, names.length, new Set(names).size]).toEqual([sort, 120, 120])
    }
    expect(await pageOf('/admin?q=no-such-name', admin)).toContain('No name contains')
  })
})

describe('the page of a person', () => {
  it('changes the quota, the role and the lock, and writes each change to the log', async () => {
    const [admin, alice] = [await administrator(sql, 'admin'), await person(sql, 'alice')]
    const path = pathOf(alice)

    expect(await told(`${path}/quota`, { quota_gb: '2.5' }, admin, path)).toBe('Quota saved.')
    expect(await rowOf(alice)).toEqual({ role: 'member', locked: false, quota_gb: 2.5 })
    await told(`${path}/quota`, { quota_gb: '' }, admin, path)
    await told(`${path}/lock`, {}, admin, path)
    expect(await rowOf(alice)).toEqual({ role: 'member', locked: true, quota_gb: null })
    expect((await ask('/', { as: alice })).headers.get('location')).toMatch(/^\/login/)
    await told(`${path}/unlock`, {}, admin, path)
    await told(`${path}/role`, { role: 'admin' }, admin, path)
    expect(await rowOf(alice)).toEqual({ role: 'admin', locked: false, quota_gb: null })

    const log = await pageOf('/admin/log', admin)
    const [by, whom] = [admin.user.username, alice.user.username]
    for (const words of [
      `${by} set the quota of ${whom} to 2.5 GB.`,
      `${by} set the quota of ${whom} to the service&#39;s.`,
      `${by} locked ${whom}.`,
      `${by} unlocked ${whom}.`,
      `${by} made ${whom} an administrator.`,
    ])
      expect(log).toContain(words)
  })

  it.each(['much', '-1', '1e9'])('refuses the quota %s and shows it again', async quota_gb => {
    const [admin, alice] = [await administrator(sql, 'admin'), await person(sql, 'alice')]
    const answer = await ask(`${pathOf(alice)}/quota`, { as: admin, form: { quota_gb } })
    expect(answer.status).toBe(422)
    const page = await answer.text()
    expect(page).toContain('Use a number of ')
    expect(page).toContain(`value="${quota_gb}"`)
    expect(await rowOf(alice)).toMatchObject({ quota_gb: null })
  })

  it('shows the link to a new password once', async () => {
    const [admin, alice] = [await administrator(sql, 'admin'), await person(sql, 'alice')]
    const answer = await ask(`${pathOf(alice)}/reset-password`, { as: admin, form: {} })
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([201, 'no-store'])
    const link = /http:\/\/[^<\s]*\/reset-password\?token=[^<\s]+/.exec(await answer.text())?.[0] ?? ''
    expect(await textAt(link.replace(/^http:\/\/[^/]*/, ''))).toContain(alice.user.username)
    expect(await pageOf(pathOf(alice), admin)).not.toContain('/reset-password?token')
  })

  it('deletes the account with what it says', async () => {
    const [admin, alice] = [await administrator(sql, 'admin'), await person(sql, 'alice')]
    await follows(alice, 'kitchen', ['v1', 'v2'])
    const question = await pageOf(pathOf(alice), admin)
    expect(question).toContain('This deletes 1 channel, 2 videos and no files.')
    expect(await told(`${pathOf(alice)}/delete`, {}, admin, '/admin')).toContain(alice.user.username)
    expect(await rowOf(alice)).toBeUndefined()
    expect((await ask(pathOf(alice), { as: admin })).status).toBe(404)
  })

  it('says at the form why the last administrator stays one, and offers no lock or deletion of oneself', async () => {
    const admin = await administrator(sql, 'admin')
    await sql`update users set role = 'member' where id <> ${admin.user.user_id}`
    const own = await pageOf(pathOf(admin), admin)
    expect(own).toContain('You · Administrator')
    expect(own).not.toMatch(/action="[^"]*\/(lock|delete|reset-password)"/)

    const answer = await ask(`${pathOf(admin)}/role`, { as: admin, form: { role: 'member' } })

    expect(answer.status).toBe(409)
    expect(await answer.text()).toContain('<p class="fault" role="alert">No other administrator could sign in.')
    expect(await rowOf(admin)).toMatchObject({ role: 'admin' })
  })

  it('leads an administrator who gives the role away out of the administration', async () => {
    const [admin] = [await administrator(sql, 'admin'), await administrator(sql, 'other')]
    await told(`${pathOf(admin)}/role`, { role: 'member' }, admin, '/')
    expect((await ask('/admin', { as: admin })).status).toBe(404)
  })
})

describe('the menu', () => {
  it('has the administration for administrators only', async () => {
    const [admin, alice] = [await administrator(sql, 'admin'), await person(sql, 'alice')]
    expect(await pageOf('/', admin)).toContain('href="/admin"')
    expect(await pageOf('/', alice)).not.toMatch(/href="\/(admin|health)"/)
  })

  it('a member gets the answer of an unknown address everywhere in the administration', async () => {
    const alice = await person(sql, 'alice')
    const unknown = await textAt('/nothing', { as: alice })
    for (const path of ['/admin', pathOf(alice), '/admin/invitations', '/admin/log', '/admin/nothing']) {
      const answer = await ask(path, { as: alice })
      expect([path, answer.status, await answer.text()]).toEqual([path, 404, unknown])
    }
    const refused = await ask(`${pathOf(alice)}/role`, { as: alice, form: { role: 'admin' } })
    expect([refused.status, await rowOf(alice)]).toEqual([404, expect.objectContaining({ role: 'member' })])
  })
})
