/** Links in a description: web addresses, and times that are positions in the video. */
import { describe, expect, it } from 'vitest'
import { Description, linkPieces } from '../../../src/views/watching/description.tsx'
import { expectQuick } from '../../support/app/quick.ts'

describe('Description', () => {
  const video = { video_id: 'a b', duration_seconds: null }

  it('leads to a time also without a script, and leaves times in addresses alone', () => {
    const html = String(<Description text="1:10 https://a.test/1:20" video={video} can_seek />)
    expect(html).toContain('<a class="seek" href="/watch/a%20b?t=70" data-seek="70">1:10</a>')
    expect(html).not.toContain('t=80')
  })

  it('has no times to go to before there is anything to play', () => {
    expect(String(<Description text="1:10" video={video} can_seek={false} />)).not.toContain('<a')
  })
})

describe('linkPieces', () => {
  it('loses nothing of the text', () => {
    const text = 'a (https://a.test/b_(c)). b\nfeed:https://x.test, http:// and https://y.test/?q=1&r=2!'

    expect(
      linkPieces(text)
        .map(({ words }) => words)
        .join(''),
    ).toBe(text)
  })

  it('leaves the punctuation after an address out of it', () => {
    const links = linkPieces('See https://a.test/b. Or (https://c.test/d), or "https://e.test"').flatMap(
      ({ href }) => href ?? [],
    )

    expect(links).toEqual(['https://a.test/b', 'https://c.test/d', 'https://e.test/'])
  })

  it.each([
    ['https://a.test/x。次', 'https://a.test/x'],
    ['「https://a.test/x」と', 'https://a.test/x'],
    ['（https://a.test/x）と', 'https://a.test/x'],
    ['https://a.test/x、と', 'https://a.test/x'],
    ['https://a.test/x…', 'https://a.test/x'],
    ['https://a.test/x،', 'https://a.test/x'],
    ['https://a.test/x۔', 'https://a.test/x'],
    ['https://a.test/x।', 'https://a.test/x'],
    ['www.a.test/x.', 'https://www.a.test/x'],
    ['(https://a.test/x_(y)).', 'https://a.test/x_(y)'],
    ['feed:https://a.test/x.', 'https://a.test/x'],
  ])('%s leads to %s', (text, href) => {
    expect(linkPieces(text).flatMap(({ href }) => href ?? [])).toEqual([href])
  })

  it('a name that only contains www. is no link', () =>
    expect(linkPieces('awww.a.test and jo@www.a.test').filter(({ href }) => href)).toEqual([]))

  it('takes no more time for a hostile text', () => {
    expectQuick(1000, () => linkPieces(`https://${'.'.repeat(50_000)}`))
  })
})
