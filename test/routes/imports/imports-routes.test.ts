/** Imports by the API. */
import { describe, expect, it } from 'vitest'
import { useApp } from '../../support/app/app.ts'
import { workThrough } from '../../support/app/imports.ts'
import { person } from '../../support/app/people.ts'

const app = useApp()
const { ask, jsonAt } = app

const opml = '<opml><outline text="Slow & Kitchen" xmlUrl="https://videos.example/kitchen"/></opml>'

describe('importing as JSON', () => {
  it('the API answers an import with 202, and then the state of each line', async () => {
    const alice = await person(app.sql, 'alice')
    const answer = await ask('/api/import', { as: alice, json: { text: `${opml}` } })
    const begun = (await answer.json()) as { import_id: string }
    const path = `/api/import/${begun.import_id}`
    await workThrough(alice, begun.import_id)

    expect(answer.status).toBe(202)
    expect(begun).toMatchObject({ kind: 'opml', total: 1, waiting: 1, finished_at: null })
    expect(await jsonAt(path, { as: alice })).toMatchObject({
      import_id: begun.import_id,
      finished_at: expect.stringMatching(/Z$/),
      added: 1,
      lines: [
        {
          position: 0,
          address: 'https://videos.example/kitchen',
          title: 'Slow & Kitchen',
          outcome: 'added',
          message: null,
          channel_id: 'kitchen',
        },
      ],
    })
    expect((await ask(`${path}/retry`, { as: alice, method: 'POST' })).status).toBe(202)
  })

  it.each([
    [{ text: '' }, 422],
    [{ text: '{"subscriptions":[]}' }, 422],
    [{ text: 7 }, 422],
    [{ text: `x${'\n#'.repeat(1_048_577)}` }, 413],
  ])('the API refuses to import %o with problem details', async (json, status) => {
    const alice = await person(app.sql, 'alice')
    const answer = await ask('/api/import', { as: alice, json })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'application/problem+json'])
  })

  it.each(['no-identifier', '00000000-0000-4000-8000-000000000000'])('the import %s is not found', async import_id => {
    const alice = await person(app.sql, 'alice')
    for (const path of [`/import/${import_id}`, `/api/import/${import_id}`])
      expect((await ask(path, { as: alice })).status).toBe(404)
    for (const path of [`/import/${import_id}/retry`, `/api/import/${import_id}/retry`])
      expect((await ask(path, { as: alice, method: 'POST' })).status).toBe(404)
  })
})
