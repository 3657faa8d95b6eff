/** A person's links as JSON. */
import { describe, expect, it } from 'vitest'
import { type Link, max_links, type NewLink } from '../../../src/schema/links/link.ts'
import { useApp } from '../../support/app/app.ts'
import { personWithFilm } from '../../support/app/links.ts'
import { follows, type Person } from '../../support/app/people.ts'

const app = useApp()
const { ask, sql, jsonAt } = app

const make = (as: Person, json: object) => ask('/api/links', { as, json })
const listOf = async (as: Person) => ((await jsonAt('/api/links', { as })) as { links: Link[] }).links

describe('a link', () => {
  it('is valid for a day unless it says how long, and listed by what it opens until it is revoked', async () => {
    const alice = await personWithFilm(app, 'alice')
    const day = (await (await make(alice, { video_id: 'v1' })).json()) as NewLink
    const week = (await (await make(alice, { video_id: 'v1', hours: 168, kind: 'share' })).json()) as NewLink
    expect(Object.keys(day).toSorted()).toEqual(['expires_at', 'link_id', 'url'])
    expect([day.url, week.url]).toEqual([
      expect.stringMatching(/\/s\/\w+\/v1\.mp4$/),
      expect.stringMatching(/\/s\/\w+$/),
    ])

    const listed = await listOf(alice)
    const hours = ({ created_at, expires_at }: Link) =>
      (Date.parse(`${expires_at}`) - Date.parse(`${created_at}`)) / 3_600_000
    expect(listed.map(link => [link.kind, link.title, link.last_used_at, Math.round(hours(link))])).toEqual([
      ['share', 'Ten bytes', null, 168],
      ['play', 'Ten bytes', null, 24],
    ])

    expect((await ask(`/api/links/${day.link_id}`, { as: alice, method: 'DELETE' })).status).toBe(204)
    expect((await listOf(alice)).map(({ link_id }) => link_id)).toEqual([week.link_id])
    expect((await ask(`/api/links/${day.link_id}`, { as: alice, method: 'DELETE' })).status).toBe(404)
  })

  it('opens only a video on disk, for an hour to a year', async () => {
    const alice = await personWithFilm(app, 'alice')
    await follows(alice, 'kitchen', ['tea'])
    const statusOf = async (json: object) => (await make(alice, json)).status
    expect(await statusOf({ video_id: 'tea' })).toBe(409)
    expect(await statusOf({ video_id: 'none' })).toBe(404)
    for (const hours of [0, 8761, 1.5, null, '24'])
      expect([hours, await statusOf({ video_id: 'v1', hours })]).toEqual([hours, 422])
    expect(await statusOf({ video_id: 'v1', kind: 'feed' })).toBe(422)
    for (const hours of [1, 8760]) expect([hours, await statusOf({ video_id: 'v1', hours })]).toEqual([hours, 201])
  })

  it('is one of a limited number, also when two are made at the same moment', async () => {
    const alice = await personWithFilm(app, 'alice')
    const { user_id } = alice.user
    await sql`
      insert into secrets (user_id, hash, kind, opens, expires_at)
      select ${user_id}, ${user_id} || nth, 'play', '{"video_id": "v1"}', now() + case when nth = 1 then -1 else 1 end * interval '1 hour'
      from   generate_series(1, ${max_links}) nth`

    const answers = await Promise.all([1, 2, 3].map(() => make(alice, { video_id: 'v1' })))

    // The one that has expired makes room.
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409])
  })
})
