/** The archive over HTTP: its form, its size in memory, and who may read it. */
import process from 'node:process'
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect } from 'vitest'
import { changeDefaultRule, changeRule } from '../../../src/domain/rules/rules.ts'
import { Archive } from '../../../src/schema/imports/archive.ts'
import { RuleRequest } from '../../../src/schema/rules/rule.ts'
import { useApp, withPeople } from '../../support/app/app.ts'
import { workThrough } from '../../support/app/imports.ts'
import { type Person, person, personWith } from '../../support/app/people.ts'

const app = useApp()
const { ask, textAt } = app
const it = withPeople(app)

const post = (as: Person, body: Uint8Array<ArrayBuffer> | string, type: string, query = '') =>
  app.app.request(
    `/api/archive${query}`,
    { method: 'POST', body, headers: { cookie: as.cookie, 'content-type': type } },
    { remote_address: '192.0.2.1' },
  )

describe('the archive of a person', () => {
  it('it is a JSON file that fits its schema and contains nothing of others and no secret', async () => {
    const alice = await personWith(app.sql, 'alice', 'kitchen', ['hers'])
    await personWith(app.sql, 'bob', 'cellar', ['his'])
    await alice.library.viewings.record('hers', { seen: true })
    const rule = RuleRequest.parse({ auto_download: true })
    await changeRule(alice.library, 'kitchen', rule)
    await changeDefaultRule(alice.library, rule)
    const answer = await ask('/api/archive', { as: alice })
    const text = await answer.text()
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="backlot archive\.json"/)
    expect(Archive.parse(JSON.parse(text))).toMatchObject({
      videos: [{ video_id: 'hers' }],
      viewings: [{ video_id: 'hers' }],
    })
    expect(text).not.toMatch(/cellar|his\b|not a hash|password|token|session/)
    expect((await ask('/api/archive')).status).toBe(401)
  })

  it('it is compressed while it is sent', async () => {
    const alice = await personWith(app.sql, 'alice', 'kitchen', ['hers'])
    const answer = await app.app.request(
      '/api/archive',
      { headers: { cookie: alice.cookie, 'accept-encoding': 'gzip' } },
      { remote_address: '192.0.2.1' },
    )
    expect(answer.headers.get('content-encoding')).toBe('gzip')
    const text = gunzipSync(new Uint8Array(await answer.arrayBuffer())).toString()
    expect(JSON.parse(text).videos).toHaveLength(1)
  })

  it('another Backlot takes it in as JSON or packed, and shows what it did', async () => {
    const alice = await personWith(app.sql, 'alice', 'kitchen', ['a', 'b'])
    await alice.library.playlists.create('Weekend')
    const text = await textAt('/api/archive', { as: alice })
    const bodies = [
      [text, 'application/json'],
      [new Uint8Array(gzipSync(text)), 'application/gzip'],
    ] as const
    for (const [body, type] of bodies) {
      const bob = await person(app.sql, 'bob')
      const answer = await post(bob, body, type)
      const begun = await answer.json()
      expect([answer.status, begun]).toEqual([202, expect.objectContaining({ kind: 'archive', finished_at: null })])
      await workThrough(bob, begun.import_id)
      const page = await textAt(`/import/${begun.import_id}`, { as: bob })
      expect(page).toContain('1 channel followed.')
      expect(page).toContain('2 videos added.')
      expect(page).toContain('1 playlist taken over.')
      expect(page).toContain('Rules apply to videos that are published from now on.')
    }
  })

  it('what has an id that browsers leave out of an address is passed over, and the rest is taken in', async () => {
    const bob = await person(app.sql, 'bob')
    const alice = await personWith(app.sql, 'alice', 'kitchen', ['a', 'b', 'c', '.well-known'])
    const text = await textAt('/api/archive', { as: alice })
    const hostile = text
      .replace(/("video_id"\s*:\s*)"a"/, (_, key) => `${key}"."`)
      .replace(/("video_id"\s*:\s*)"b"/, (_, key) => `${key}".."`)

    const begun = await (await post(bob, hostile, 'application/json')).json()
    await workThrough(bob, begun.import_id)

    const saved =
      await app.sql`select video_id from video_entries where user_id = ${bob.library.user_id} order by video_id collate "C"`
    expect(saved.map(({ video_id }) => video_id)).toEqual(['.well-known', 'c'])
  })

  it('other documents and other types are refused', async ({ alice }) => {
    const statuses = []
    for (const [body, type] of [
      ['{"channels":[]}', 'application/json'],
      ['[]', 'application/json'],
      ['', 'application/json'],
      ['https://videos.example/feed', 'application/octet-stream'],
      ['{}', 'text/plain'],
    ] as const)
      statuses.push((await post(alice, body, type)).status)
    expect(statuses).toEqual([422, 422, 422, 422, 415])
    expect(await alice.library.imports.list()).toEqual([])
  })

  it('the form takes an archive, also one that does not fit in memory at once', async ({ bob }) => {
    const alice = await personWith(app.sql, 'alice', 'kitchen', ['a'])
    const document = JSON.parse(await textAt('/api/archive', { as: alice }))
    const [video] = document.videos
    document.videos = Array.from({ length: 60 }, (_, at) => ({
      ...video,
      video_id: `v${at}`,
      description: 'x'.repeat(50_000),
    }))
    const form = new FormData()
    form.append('file', new File([JSON.stringify(document)], 'backlot archive.json'))
    form.append('text', '')
    const answer = await app.app.request(
      '/import',
      { method: 'POST', body: form, headers: { cookie: bob.cookie } },
      { remote_address: '192.0.2.1' },
    )
    expect(answer.status).toBe(303)
    const import_id = answer.headers.get('location')?.slice('/import/'.length) ?? ''
    while ((await workThrough(bob, import_id)) === 'more');
    expect((await bob.library.imports.find(import_id))?.content).toMatchObject({ videos_added: 60, unknown: 0 })
  })

  it('120 MB of videos with long descriptions are exported in flat memory', async () => {
    const alice = await personWith(app.sql, 'alice', 'kitchen', ['a'])
    await app.sql`
      insert into video_entries (user_id, channel_id, video_id, video_url, title, description, words)
      select ${alice.user.user_id}, 'kitchen', 'v' || n, 'https://videos.example/' || n, 'T', repeat('words ', 4000), ''
      from   generate_series(1, 5000) n`
    const answer = await ask('/api/archive', { as: alice })
    const before = process.memoryUsage()
    let [bytes, most] = [0, 0]
    for await (const piece of answer.body ?? []) {
      bytes += piece.length
      const { heapUsed, external } = process.memoryUsage()
      most = Math.max(most, heapUsed + external - before.heapUsed - before.external)
    }
    expect(bytes).toBeGreaterThan(120_000_000)
    expect(most).toBeLessThan(100 * 1024 ** 2)
  })
})
