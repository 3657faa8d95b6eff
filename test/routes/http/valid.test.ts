/** Odd requests, over real connections. */
import { describe, expect, it } from 'vitest'
import { serve } from '../../../src/runtime/serve.ts'
import { useApp } from '../../support/app/app.ts'
import { follows, person } from '../../support/app/people.ts'

const app = useApp()

describe('odd requests', () => {
  const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
  it.each([
    ['GET', `/api/history/${'x'.repeat(10_000)}`, undefined, [404]],
    ['GET', `/watch/${'x'.repeat(10_000)}`, undefined, [404]],
    ['POST', `/api/download/${'é'.repeat(2000)}`, undefined, [404]],
    ['GET', '/api/history/c?limit=1e9', undefined, [422]],
    ['GET', '/api/history/c?limit=-1&limit=2', undefined, [422]],
    ['GET', `/api/history/c?q=${'x'.repeat(5000)}`, undefined, [422]],
    ['GET', `/api/history/c?cursor=${'x'.repeat(5000)}`, undefined, [422]],
    ['GET', '/api/history/c?q=a&q=b&status=failed&status=pending', undefined, [200, 422]],
    ['GET', '/api/history/c?__proto__=1&constructor=2&toString=3', undefined, [200]],
    ['GET', `/api/download/status?${'video_id=v&'.repeat(501)}`, undefined, [422]],
    ['GET', `/api/download/status?video_id=${'x'.repeat(10_000)}`, undefined, [422]],
    ['GET', '/login?next=%', undefined, [200]],
    ['GET', '/channels/%E0%A4%A', undefined, [404]],
    ['POST', '/api/download/batch', JSON.stringify({ video_ids: Array(100_000).fill('v') }), [413]],
    ['POST', '/api/download/batch', JSON.stringify({ video_ids: Array(501).fill('v') }), [422]],
    ['POST', '/api/download/batch', JSON.stringify({ video_ids: ['x'.repeat(10_000)] }), [422]],
    ['POST', '/api/download/batch', nested(10_000), [422]],
    ['POST', '/api/download/batch', '{"video_ids":["v"],"__proto__":{"polluted":true}}', [422]],
    ['POST', '/api/download/batch', '{"video_ids":["nope"],"video_ids":["v"]}', [202]],
    ['POST', '/api/download/batch', 'null', [422]],
    ['POST', '/api/download/batch', '[]', [422]],
    ['POST', '/api/download/batch', '"\ud800"', [422]],
    ['PUT', '/api/settings', '{"quality":{"__proto__":null}}', [422]],
  ])('the odd request %s %.60s gets a sensible status', async (method, path, body, expected) => {
    const alice = await person(app.sql, 'alice')
    await follows(alice, 'c', ['v'])
    const headers = { cookie: alice.cookie, ...(body !== undefined && { 'content-type': 'application/json' }) }
    const server = await serve(app.app.fetch, '127.0.0.1', 0)
    const answer = await fetch(server.url + path, { method, headers, ...(body !== undefined && { body }) })
    await answer.text()
    await server.close()
    expect(expected).toContain(answer.status)
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })

  it.each([
    ['/history/restore', 'forgotten_at'],
    ['/videos/later/remove', 'marked_at'],
    ['/downloads/take-back', 'requested_at'],
    ['/downloads/queue-again', 'cancelled_at'],
    ['/downloads/restore', 'deleted_at'],
  ])('%s refuses a time that the database cannot have', async (path, name) => {
    const as = await person(app.sql, 'alice')
    for (const time of ['0000-01-01T00:00:00Z', '2026-02-30T00:00:00Z', `2026-01-01T00:00:00.${'1'.repeat(300)}Z`])
      expect((await app.ask(path, { as, form: { [name]: time } })).status, time).toBe(422)
  })
})
