import { describe, expect, it } from 'vitest'
import { useApp } from '../../support/app/app.ts'
import type { Person } from '../../support/app/people.ts'
import { scene } from '../../support/app/scene.ts'

const { ask, sql } = useApp()

describe('polling the status of downloads', () => {
  const poll = (as: Person, query: string, tag?: string) =>
    ask(`/api/download/status?${query}`, {
      as,
      headers: { 'hx-request': 'true', ...(tag && { 'if-none-match': tag }) },
    })
  const tagIn = (answer: Response) => answer.headers.get('etag') ?? ''

  it('answers 304 to pages and programs while nothing changes', async () => {
    const alice = await scene(sql)
    const first = await poll(alice, 'video_id=running&video_id=waiting-1')
    const json = await ask('/api/download/status?video_id=running', { as: alice })

    const again = await poll(alice, 'video_id=running&video_id=waiting-1', tagIn(first))
    const json_again = await ask('/api/download/status?video_id=running', {
      as: alice,
      headers: { 'if-none-match': tagIn(json) },
    })

    expect([again.status, await again.text()]).toEqual([304, ''])
    expect(json_again.status).toBe(304)
    await alice.library.downloads.cancel('running')
    expect((await poll(alice, 'video_id=running&video_id=waiting-1', tagIn(first))).status).toBe(200)
    expect(
      (await ask('/api/download/status?video_id=running', { as: alice, headers: { 'if-none-match': tagIn(json) } }))
        .status,
    ).toBe(200)
  })

  it('sends the whole downloads page when a download changes its shelf', async () => {
    const alice = await scene(sql)
    const page = await (await ask('/downloads', { as: alice })).text()
    const tally = /name="tally" value="([^"]+)"/.exec(page)?.[1]
    expect(tally).toBe('1.3.1.2')

    const same = await (await poll(alice, `tally=${tally}&video_id=running`)).text()
    await alice.library.downloads.cancel('running')
    const moved = await (await poll(alice, `tally=${tally}&video_id=running`)).text()

    expect(same).not.toContain('hx-target="#downloads"')
    expect(moved).toContain('<hx-partial hx-target="#downloads" hx-swap="outerMorph">')
    expect(moved).toContain('name="tally" value="0.3.1.2"')
    expect(moved).not.toContain('id="row-running"')
  })
})
