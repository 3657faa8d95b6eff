import { describe, expect, it } from 'vitest'
import { parseFeed } from '../../../src/feed/formats/parse.ts'
import { documentOf } from '../../support/media/feeds.ts'

const good = '<item><link>https://h.example/1</link></item>'
const nowhere = '<item><title>Nowhere</title></item>'
const said = (items: string, end = '</channel></rss>') => parseFeed(documentOf(`<rss><channel>${items}${end}`))

describe('the warning of a feed that was read in part', () => {
  it.each([
    [good, undefined],
    [good + nowhere, '1 entry of this feed could not be read: it has no address.'],
    [good + nowhere.repeat(3), '3 entries of this feed could not be read: they have no address.'],
    [nowhere, 'The only entry of this feed could not be read: it has no address.'],
    [nowhere.repeat(2), 'All 2 entries of this feed could not be read: they have no address.'],
    ['', 'This feed no longer lists any entries.'],
  ])('%s', (items, sentence) => expect(said(items).warning).toBe(sentence))

  it('names the most common reason', () => {
    const { skipped, warning } = said(`${good}${nowhere.repeat(2)}<item><link>https://h.example/half`, '')
    expect(skipped).toBe(3)
    expect(warning).toBe('3 entries of this feed could not be read: mostly because they have no address.')
    expect(said(`${good}<item><title>Half`, '').warning).toBe(
      '1 entry of this feed could not be read: the feed breaks off.',
    )
  })
})
