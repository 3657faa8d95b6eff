/** The page with the API documentation. */
import { describe, expect, it } from 'vitest'
import { useApp } from '../support/app/app.ts'
import { person } from '../support/app/people.ts'

const { ask, sql, textAt } = useApp()

describe('the page with the API documentation', () => {
  it('the API documentation is shown only to people who are signed in', async () => {
    const alice = await person(sql, 'alice')
    const page = await ask('/api/docs', { as: alice })
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=UTF-8'])
    const signed_out = await ask('/api/docs')
    expect([signed_out.status, signed_out.headers.get('location')]).toEqual([303, '/login?next=%2Fapi%2Fdocs'])
  })

  it('the API documentation loads all its files from this server', async () => {
    const alice = await person(sql, 'alice')
    const html = await textAt('/api/docs', { as: alice })
    const files = [...html.matchAll(/(?:src|href)="(\/static\/[^"]+)"/g)].map(([, path]) => path ?? '')
    expect(files.map(path => path.replace(/\?.*/, ''))).toEqual(
      expect.arrayContaining(['/static/swagger-ui.js', '/static/swagger-ui.css', '/static/page/api-docs.js']),
    )
    for (const path of files) expect((await ask(path)).status, path).toBe(200)
  })
})
