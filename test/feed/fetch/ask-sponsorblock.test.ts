/** SponsorBlock on loopback: what it is asked, and what is taken from its answers. */
import { hash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createSegmentAsker } from '../../../src/feed/fetch/ask-sponsorblock.ts'
import { addressPolicy } from '../../../src/net/addresses.ts'
import { siteWith } from '../../support/media/feed-site.ts'

const id = 'a-b_c1D2e3F'
const part = (start: number, end: number, category = 'sponsor', actionType = 'skip') => ({
  segment: [start, end],
  category,
  actionType,
  UUID: 'x',
})

async function asking(answer: { status?: number; body: unknown }) {
  const asked: string[] = []
  const site = await siteWith((request, response) => {
    asked.push(request.url ?? '')
    response.writeHead(answer.status ?? 200, { 'content-type': 'application/json' })
    response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body))
  })
  return { asked, ask: createSegmentAsker({ url: site.url, policy: addressPolicy(['127.0.0.1']) }) }
}

describe('asking SponsorBlock', () => {
  it('SponsorBlock gets four characters of a hash, never the id, and answers for several videos', async () => {
    const body = [
      { videoID: 'anotherVideo', segments: [part(1, 2)] },
      { videoID: id, segments: [part(60, 90.5, 'intro'), part(5, 20)] },
    ]
    const { asked, ask } = await asking({ body })
    expect(await ask(id)).toEqual([
      { start_seconds: 5, end_seconds: 20, category: 'sponsor' },
      { start_seconds: 60, end_seconds: 90.5, category: 'intro' },
    ])
    const { pathname, searchParams } = new URL(asked[0] ?? '', 'http://x')
    expect(pathname).toBe(`/api/skipSegments/${hash('sha256', id).slice(0, 4)}`)
    expect(JSON.parse(searchParams.get('categories') ?? '')).toContain('sponsor')
    expect(asked.join()).not.toContain(id)
  })

  it('a 404 says that nothing is known of any such video', async () => {
    const { ask } = await asking({ status: 404, body: 'Not Found' })
    expect(await ask(id)).toEqual([])
  })

  it.each([
    ['an error', { status: 500, body: '' }],
    ['a page', { body: '<html>' }],
    ['another form', { body: { videoID: id } }],
    ['nesting without end', { body: '['.repeat(500_000) }],
    ['more than fits', { body: `[${' '.repeat(3_000_000)}]` }],
  ])('%s is refused', async (_, answer) => {
    const { ask } = await asking(answer)
    await expect(ask(id)).rejects.toMatchObject({ code: 'feed_failed' })
  })

  it('only the parts that can be skipped are taken from a hostile answer', async () => {
    const segments = [
      ...[null, 'a', { segment: [1], category: 'sponsor', actionType: 'skip' }],
      ...[part(-1, 5), part(9, 3), part(1, 1), part(1, 5, 'chapter'), part(1, 5, 'sponsor', 'mute')],
      ...[
        { ...part(1, 5), segment: ['1', '5'] },
        { ...part(1, 5), segment: [1, 5, 9] },
      ],
      part(2, 8),
    ]
    const { ask } = await asking({ body: [{ videoID: id, segments }, { videoID: 7 }, null] })
    expect(await ask(id)).toEqual([{ start_seconds: 2, end_seconds: 8, category: 'sponsor' }])
    const many = await asking({
      body: [{ videoID: id, segments: Array.from({ length: 999 }, (_, n) => part(n, n + 1)) }],
    })
    expect(await many.ask(id)).toHaveLength(200)
  })

  it('a private address is not asked', async () => {
    const ask = createSegmentAsker({ url: 'http://127.0.0.1:9', policy: addressPolicy([]) })
    await expect(ask(id)).rejects.toMatchObject({ code: 'address_refused' })
  })
})
