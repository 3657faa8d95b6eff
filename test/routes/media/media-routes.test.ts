/** The template of names in MEDIA_DIR is chosen on a page with a preview, and by the API. */
import { describe, expect } from 'vitest'
import { recordMediaService } from '../../../src/db/media/everyone/media.ts'
import { useApp, withPeople } from '../../support/app/app.ts'
import { runDownload } from '../../support/app/files.ts'
import { personWithKitchen } from '../../support/app/media.ts'
import type { Person } from '../../support/app/people.ts'

const app = useApp()
const { ask, sql, jsonAt, textAt } = app
const it = withPeople(app)

const path = '/settings/media'
const put = (as: Person, media_names: unknown) =>
  ask('/api/settings', { as, method: 'PUT', json: { quality: 'best', media_names } })
const namesOf = async (as: Person) =>
  ((await jsonAt('/api/settings', { as })) as { media_names: string | null }).media_names
const textsOf = (html: string) => [...html.matchAll(/<code dir="auto">([^<]*)</g)].map(([, text]) => text)

describe('the API', () => {
  it('changes the template of one person, and nothing else of it', async ({ alice, bob }) => {
    expect(await namesOf(alice)).toBeNull()
    expect((await put(alice, '{channel}/{title}')).status).toBe(200)
    await ask('/api/settings', { as: alice, method: 'PUT', json: { quality: '720' } })
    expect([await namesOf(alice), await namesOf(bob)]).toEqual(['{channel}/{title}', null])
    await put(alice, null)
    expect(await namesOf(alice)).toBeNull()
  })

  it.for(['../{title}', '{nothing}', '', '/etc/{id}', 7])(
    'refuses %j with what is wrong in it',
    async (template, { alice }) => {
      const answer = await put(alice, template)
      expect(answer.status).toBe(422)
      expect(await answer.json()).toMatchObject({ errors: { media_names: expect.any(String) } })
      expect(await namesOf(alice)).toBeNull()
    },
  )

  it('queues one update of the tree, and none while no worker has MEDIA_DIR', async ({ alice }) => {
    const jobs = () => sql`
      select key from graphile_worker.jobs where task_identifier = 'update-media' and key like ${`%${alice.user.user_id}`}`
    await put(alice, '{title}')
    expect(await jobs()).toEqual([])
    await recordMediaService(sql)
    for (const template of ['{id}', null]) await put(alice, template)
    expect(await jobs()).toHaveLength(1)
    await sql`delete from media_service`
  })
})

describe('the page', () => {
  it('shows a template with the videos of the person, and with an example where there is none', async ({ bob }) => {
    const alice = await personWithKitchen(sql, 'alice', ['v1', 'v2'])
    const usual = 'Bread： Kitchen/Season 2026/S2026E112101 – Bread v2？ [v2].mp4'
    expect(textsOf(await textAt(path, { as: alice }))).toContain(usual)
    await runDownload(app.files, alice, 'v1')
    expect(textsOf(await textAt(path, { as: alice }))).toEqual([usual.replaceAll('v2', 'v1')])
    expect(textsOf(await textAt(path, { as: bob }))).toEqual([
      'Bread Kitchen/Season 2026/S2026E112101 – Rye [aqz-KE-bpKQ].mp4',
    ])
  })

  it('previews what is typed, with and without a script, and saves nothing', async () => {
    const alice = await personWithKitchen(sql, 'alice', ['v1'])
    const form = { media_names: '{group}/{date} {title}' }
    for (const headers of [{}, { 'hx-request': 'true' }]) {
      const html = await (await ask(`${path}/preview`, { as: alice, form, headers })).text()
      expect(textsOf(html)).toEqual(['No group/2026-11-21 Bread v1？.mp4'])
    }
    expect(await namesOf(alice)).toBeNull()
  })

  it('says in its place what is wrong, and keeps what was typed', async ({ alice }) => {
    const form = { media_names: '{channel}/<b>' }
    for (const to of [path, `${path}/preview`]) {
      const answer = await ask(to, { as: alice, form })
      const html = await answer.text()
      expect(answer.status).toBe(422)
      expect(html).toContain('value="{channel}/&lt;b&gt;"')
      expect(html).toContain('Leave out “&lt;”')
    }
    const fragment = await ask(`${path}/preview`, { as: alice, form, headers: { 'hx-request': 'true' } })
    expect([fragment.status, await fragment.text()]).toEqual([
      422,
      expect.stringMatching(/^<p class="fault">Leave out/),
    ])
  })

  it('saves a template, and an empty field as the usual one', async ({ alice }) => {
    for (const [media_names, saved] of [
      ['{id}', '{id}'],
      ['', null],
    ]) {
      const answer = await ask(path, { as: alice, form: { media_names: media_names ?? '' } })
      expect([answer.status, answer.headers.get('location'), await namesOf(alice)]).toEqual([303, path, saved])
    }
  })

  it('says who sets MEDIA_DIR while no worker has it', async ({ alice }) => {
    const sentence = 'once the operator of this Backlot has set MEDIA_DIR'
    expect(await textAt(path, { as: alice })).toContain(sentence)
    await recordMediaService(sql)
    expect(await textAt(path, { as: alice })).not.toContain(sentence)
    await sql`delete from media_service`
  })
})
