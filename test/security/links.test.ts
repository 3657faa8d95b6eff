/** Attacks on addresses that carry their right: everything wrong has one answer, and no secret is told. */
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { secretsIn } from '../../src/db/account/secrets.ts'
import { usual_limits } from '../../src/routes/http/request-limits.ts'
import { unlimited, useApp } from '../support/app/app.ts'
import { linkOf, personWithFilm } from '../support/app/links.ts'
import { lock, unlock } from '../support/app/locks.ts'
import { person } from '../support/app/people.ts'
import { tokensThrough } from '../support/app/tokens.ts'

const app = useApp({ limits: unlimited, METRICS_TOKEN: 'a-token-for-metrics' })
const { ask, sql, jsonAt, textAt } = app
const { tokenOf } = tokensThrough(app)

const secret = 'a'.repeat(64)

/** What an answer says, all in all. */
async function saidTo(path: string, more: Parameters<typeof ask>[1] = {}) {
  const answer = await ask(path, more)
  return { status: answer.status, headers: [...answer.headers], body: await answer.text() }
}

describe('a link that opens nothing', () => {
  it('gets one answer, whatever is wrong with it', async () => {
    const alice = await personWithFilm(app, 'alice')
    const [play, share, revoked, expired] = [
      await linkOf(app, alice),
      await linkOf(app, alice, { kind: 'share' }),
      await linkOf(app, alice),
      await linkOf(app, alice),
    ]
    await ask(`/api/links/${revoked.link_id}`, { as: alice, method: 'DELETE' })
    await sql`update secrets set expires_at = now() - interval '1 second' where secret_id = ${expired.link_id}`
    const of_podcast = { opens: { podcast_id: crypto.randomUUID() }, lasts_s: null }
    const feed = await secretsIn(sql).make({ kind: 'podcast', user_id: alice.user.user_id, ...of_podcast })
    const unknown = await saidTo(`/s/${secret}/v1.mp4`)
    expect(unknown.status).toBe(404)

    for (const path of [
      '/s/',
      `/s/${secret}`,
      '/s/short/v1.mp4',
      `/s/${secret.toUpperCase()}/v1.mp4`,
      `/s/${secret}%00/v1.mp4`,
      `/s/%ff/v1.mp4`,
      revoked.path,
      expired.path,
      // The file has no page, and the page no other file.
      `/s/${play.secret}`,
      `/s/${play.secret}/`,
      `/s/${play.secret}/v2.mp4`,
      `/s/${play.secret}/v1.m4a`,
      `/s/${play.secret}/V1.mp4`,
      `/s/${play.secret}/v1.mp4/`,
      `/s/${play.secret}/v1.mp4/more`,
      `/s/${play.secret}/en.vtt`,
      `/s/${share.secret}/..%2f..%2fv1.mp4`,
      `/s/${share.secret}/..%2f..%2f..%2fetc%2fpasswd`,
      `/s/${share.secret}/%00.vtt`,
      `/s/${share.secret}/..%2fv1.vtt`,
      // The address of a podcast opens no video.
      `/s/${feed.token}`,
    ])
      expect([path, await saidTo(path)]).toEqual([path, unknown])
    for (const method of ['POST', 'PUT', 'DELETE'])
      expect(await saidTo(play.path, { method, headers: { 'sec-fetch-site': 'cross-site' } })).toEqual(unknown)
    expect((await saidTo(play.path)).status).toBe(200)
  })

  it('gets the answer of a missing one while its owner is locked, and after the owner, the video or the file is gone', async () => {
    const [alice, bob, carol] = [
      await personWithFilm(app, 'alice'),
      await personWithFilm(app, 'bob'),
      await personWithFilm(app, 'carol'),
    ]
    const [hers, his, carols] = [
      await linkOf(app, alice, { kind: 'share' }),
      await linkOf(app, bob),
      await linkOf(app, carol),
    ]
    const unknown = await saidTo(`/s/${secret}`)

    await lock(sql, alice)
    expect(await saidTo(hers.path)).toEqual(unknown)
    await unlock(sql, alice)
    expect((await saidTo(hers.path)).status).toBe(200)
    const file = join(app.folder, alice.download_path)
    await rename(file, `${file}.away`)
    expect(await saidTo(hers.path)).toEqual(unknown)
    expect(await saidTo(`${hers.path}/v1.mp4`)).toEqual(unknown)

    expect((await ask('/api/download/remove-batch', { as: bob, json: { video_ids: ['v1'] } })).status).toBe(200)
    expect(await saidTo(his.path)).toEqual(unknown)

    await sql`delete from users where id = ${carol.user.user_id}`
    expect(await saidTo(carols.path)).toEqual(unknown)
  })

  it('refuses guesses, and opens links of other people from the same address', async () => {
    const limited = strict.ask
    const alice = await personWithFilm(strict, 'alice')
    const { path } = await linkOf(strict, alice)
    const statuses: number[] = []
    for (let guess = 0; guess < 7; guess++) statuses.push((await limited(`/s/${secret}/v${guess}.mp4`)).status)
    expect(statuses).toEqual([404, 404, 404, 404, 404, 429, 429])
    expect(await (await limited(path)).text()).toBe('0123456789')
  })
})

const strict = useApp({
  limits: {
    of_person: { files: { most: 3, per_s: 60 } },
    signed_out: { most: 5, per_s: 60 },
    at_address: usual_limits.at_address,
    streams: { of_person: 2, at_address: 10, idle_ms: 60_000 },
  },
})

describe('a link that many people got', () => {
  it('opens few files at a time, and its owner watches on', async () => {
    const alice = await personWithFilm(strict, 'alice', '0'.repeat(1e6))
    const { path } = await linkOf(strict, alice)
    const open = [await strict.ask(path, { from: '192.0.2.2' }), await strict.ask(path, { from: '192.0.2.3' })]
    const refused = await strict.ask(path, { from: '192.0.2.4' })
    expect([...open, refused].map(({ status }) => status)).toEqual([200, 200, 429])
    expect(refused.headers.get('retry-after')).toBe('5')
    const own = await strict.ask('/stream/v1', { as: alice })
    expect(own.status).toBe(200)
    for (const { body } of [...open, own]) await body?.cancel()
  })

  it('is refused after too many ranges, and the requests of its owner count apart', async () => {
    const alice = await personWithFilm(strict, 'alice')
    const { path } = await linkOf(strict, alice)
    const statuses: number[] = []
    for (let from = 2; from < 7; from++) {
      const answer = await strict.ask(path, { headers: { range: 'bytes=0-0' }, from: `192.0.2.${from}` })
      await answer.body?.cancel()
      statuses.push(answer.status)
    }
    expect(statuses).toEqual([206, 206, 206, 429, 429])
    const own = await strict.ask('/stream/v1', { as: alice })
    expect(own.status).toBe(200)
    await own.body?.cancel()
  })
})

it('a session or a token that is sent along changes nothing', async () => {
  const [alice, bob] = [await personWithFilm(app, 'alice'), await person(sql, 'bob')]
  const { path, secret } = await linkOf(app, alice, { kind: 'share' })
  const token = await tokenOf(alice)
  const used = () => sql`select id, used_at from sessions order by id`
  await sql`update sessions set used_at = now() - interval '1 hour'`
  const before = await used()
  const senders = [
    { as: alice },
    { as: bob },
    { headers: { authorization: `Bearer ${token}` } },
    { headers: { authorization: 'Bearer wrong' } },
    { headers: { cookie: 'session=wrong; theme=dark; flash=wrong' } },
  ]
  for (const at of [path, `${path}/v1.mp4`, `/s/${'b'.repeat(64)}/v1.mp4`]) {
    const alone = await saidTo(at)
    for (const sent of senders) expect(await saidTo(at, sent)).toEqual(alone)
  }
  expect(await used()).toEqual(before)
  // It is no session and no token either.
  expect((await ask('/api/links', { headers: { authorization: `Bearer ${secret}` } })).status).toBe(401)
})

it('a person lists and revokes only their own links', async () => {
  const [alice, bob] = [await personWithFilm(app, 'alice'), await personWithFilm(app, 'bob')]
  const { link_id, path } = await linkOf(app, alice)
  const listed = async (as: typeof alice) => (await jsonAt('/api/links', { as })) as { links: unknown[] }
  expect(await listed(bob)).toEqual({ links: [] })
  const [hers, none] = [link_id, crypto.randomUUID()].map(id =>
    saidTo(`/api/links/${id}`, { as: bob, method: 'DELETE' }),
  )
  expect((await hers)?.status).toBe(404)
  expect(await hers).toEqual(await none)
  expect((await listed(alice)).links).toMatchObject([{ link_id, kind: 'play', title: 'Ten bytes' }])
  expect((await saidTo(path)).status).toBe(200)
})

describe('the secret', () => {
  it('is stored nowhere', async () => {
    const alice = await personWithFilm(app, 'alice')
    const { secret } = await linkOf(app, alice)
    const { hash, ...row } = (await sql`select * from secrets where kind = 'play'`)[0] ?? {}
    expect(hash).toMatch(/^[0-9a-f]{64}$/)
    expect(JSON.stringify({ hash, ...row })).not.toContain(secret)
    expect(await textAt('/api/links', { as: alice })).not.toMatch(/[0-9a-f]{64}/)
  })

  it('is in no error, no title, no figure, and no header that leads elsewhere', async () => {
    const alice = await personWithFilm(app, 'alice')
    const { path, secret } = await linkOf(app, alice)
    const fault = vi.spyOn(app.files, 'open').mockRejectedValue(new Error('the disk is on fire'))
    const broken = await saidTo(path)
    fault.mockRestore()
    const past_end = await saidTo(path, { headers: { range: 'bytes=99-' } })
    const changed = await saidTo(path, { headers: { 'if-match': '"other"' } })
    expect([broken, past_end, changed].map(({ status }) => status)).toEqual([500, 416, 412])
    for (const answer of [broken, past_end, changed, await saidTo(`/s/${secret}/wrong.mp4`)]) {
      expect(JSON.stringify(answer)).not.toContain(secret)
      expect(Object.fromEntries(answer.headers)).toMatchObject({ 'referrer-policy': 'no-referrer' })
      expect(answer.body).not.toContain('<a ')
    }
    const figures = await ask('/metrics', { headers: { authorization: 'Bearer a-token-for-metrics' } })
    expect(figures.status).toBe(200)
    expect(await figures.text()).not.toContain(secret)
  })
})
