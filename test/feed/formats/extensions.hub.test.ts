import { describe, expect, it } from 'vitest'
import { parseFeed } from '../../../src/feed/formats/parse.ts'
import { documentOf } from '../../support/media/feeds.ts'

const url = 'https://h.example/feeds/new.xml'
const rss = (links: string) =>
  `<rss xmlns:atom="http://www.w3.org/2005/Atom" xmlns:a10="http://www.w3.org/2005/Atom"><channel>${links}<item><link>https://h.example/1</link></item></channel></rss>`
const atom = (links: string) =>
  `<feed xmlns="http://www.w3.org/2005/Atom">${links}<entry><link href="https://h.example/1"/></entry></feed>`
const json = (more: object) => JSON.stringify({ version: 'https://jsonfeed.org/version/1.1', items: [], ...more })
const hubIn = (body: string, link?: string) =>
  parseFeed({ ...documentOf(body, { url }), link }, 'https://h.example/followed').hub

const hub = 'https://hub.example/'
const topic = 'https://h.example/self'

describe('the hub that a feed names', () => {
  it.each<[string, string]>([
    ['Atom', atom(`<link rel="hub" href="${hub}"/><link rel="self" href="${topic}"/>`)],
    ['Atom, in any case and order', atom(`<link rel="SELF" href="${topic}"/><link rel="Hub" href="${hub}"/>`)],
    ['Atom, relative', atom('<link rel="hub" href="//hub.example"/><link rel="self" href="/self"/>')],
    ['RSS', rss(`<atom:link rel="hub" href="${hub}"/><atom:link rel="self" href="${topic}"/>`)],
    ['RSS with another prefix', rss(`<a10:link rel="hub" href="${hub}"/><a10:link rel="self" href="${topic}"/>`)],
    ['RSS without a prefix', rss(`<link rel="hub" href="${hub}"/><link rel="self" href="${topic}"/>`)],
    [
      'RSS, one link with two relations',
      rss(`<atom:link rel="hub nofollow" href="${hub}"/><atom:link rel="self" href="${topic}"/>`),
    ],
    [
      'JSON Feed',
      json({
        feed_url: topic,
        hubs: [{ type: 'rssCloud', url: 'https://x.example' }, null, { type: 'WebSub', url: hub }],
      }),
    ],
  ])('%s', (_, body) => {
    expect(hubIn(body)).toEqual({ hub, topic })
  })

  it('the header Link comes before the document', () => {
    const body = atom('<link rel="hub" href="https://other.example/"/><link rel="self" href="/other"/>')
    expect(hubIn(body, `<${hub}>; rel="hub", <${topic}>; rel=self`)).toEqual({ hub, topic })
    expect(hubIn(body, `<${hub}>; rel="hub"`)).toEqual({ hub, topic: 'https://h.example/other' })
    expect(hubIn(body, '<https://h.example/next>; rel="next"')).toMatchObject({ hub: 'https://other.example/' })
  })

  it('a feed that gives itself no address is known at its hub by the followed one', () => {
    expect(hubIn(rss(`<atom:link rel="hub" href="${hub}"/>`))).toEqual({ hub, topic: 'https://h.example/followed' })
  })

  it('the first hub that is a web address is used', () => {
    const links = [
      'mailto:x@h.example',
      'javascript:1',
      `https://h.example/${'x'.repeat(2048)}`,
      hub,
      'https://second.example/',
    ]
    expect(hubIn(atom(links.map(href => `<link rel="hub" href="${href}"/>`).join('')))?.hub).toBe(hub)
  })

  it.each<[string, string, string?]>([
    ['a feed without links', atom('')],
    ['a feed with its own address only', atom(`<link rel="self" href="${topic}"/>`)],
    ['a hub of an entry', rss('').replace('<item>', `<item><atom:link rel="hub" href="${hub}"/>`)],
    [
      'a hub in a header that is not readable',
      atom(''),
      '<<>>; rel="hub", <>; rel=hub, https://hub.example/; rel=hub'.replace('<>', '<ftp://h.example>'),
    ],
    ['hubs of JSON Feed that are no list', json({ hubs: 'https://hub.example' })],
  ])('none in %s', (_, body, link) => {
    expect(hubIn(body, link)).toBeUndefined()
  })
})
