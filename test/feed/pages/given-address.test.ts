import { describe, expect, it } from 'vitest'
import { addressOf, feedAddressOf, nameIn } from '../../../src/feed/pages/given-address.ts'
import { feedsOnPage } from '../../../src/feed/pages/page-feeds.ts'
import { platformVideoIdOf } from '../../../src/feed/platforms/by-address.ts'
import { expectQuick } from '../../support/app/quick.ts'
import { bytesOf } from '../../support/media/feeds.ts'

const channel = 'UCabcdefghijklmnopqrstuv'
const youtube = 'https://www.youtube.com/feeds/videos.xml'

it.each([
  '"https://host.example/a"',
  '<https://host.example/a>',
  '„https://host.example/a“',
  'https://host.example/a,',
  '"host.example/a"',
])('%s is the address in it', given => {
  expect(feedAddressOf(given)).toBe('https://host.example/a')
})

const video = 'https://youtu.be/abcdefghijk'

it.each([
  `Great talk ${video}`,
  `Great talk\n${video}\nshared from an app`,
  `[Great talk](${video})`,
  `${video}.`,
  `${video}。`,
  `${video}۔`,
  `(see ${video})`,
  `${video}\u200b`,
  `\u200e${video}\u2069`,
  `\u2067${video}\ufe0f`,
  'Great talk youtu.be/abcdefghijk',
  'Watch youtu.be/abcdefghijk!',
  `URL:${video}`,
  `freetube://${video}`,
  `h${video}`,
  `https://${video}`,
  video.replace(':', ''),
])('one video is read from %j', given => expect(feedAddressOf(given)).toBe(video))

it.each([
  ['@notes@tube.example', 'notes'],
  ['notes@tube.example', 'notes'],
  ['acct:notes@tube.example', 'notes'],
  ['Follow me: @slow_notes.x@tube.example.', 'slow_notes.x'],
  ['＠notes＠tube.example', 'notes'],
])('%s is a channel of a PeerTube server', (given, name) =>
  expect(feedAddressOf(given)).toBe(`https://tube.example/video-channels/${name}`),
)

it.each(['mailto:notes@tube.example', 'https://notes@tube.example/', 'Write to notes@tube.example'])(
  '%s is no channel',
  given => expect(() => feedAddressOf(given)).toThrow(),
)

it.each(['pcast', 'itpc', 'podcast', 'rss', 'feed'])('%s: is a scheme for feeds', scheme => {
  expect(feedAddressOf(`${scheme}://host.example/feed`)).toBe('https://host.example/feed')
  expect(feedAddressOf(`${scheme}:http://host.example/feed`)).toBe('http://host.example/feed')
})

const watched = 'https://www.youtube.com/watch?v=abcdefghijk'

it.each([
  'vnd.youtube:abcdefghijk',
  'vnd.youtube://abcdefghijk',
  'youtube://www.youtube.com/watch?v=abcdefghijk',
  'intent://www.youtube.com/watch?v=abcdefghijk#Intent;scheme=https;end',
  ...['vnd.youtube://www.youtube.com/watch?v=abcdefghijk', 'VND.YouTube://www.youtube.com/watch?v=abcdefghijk'],
  ...[
    'youtube://abcdefghijk',
    'youtube://watch?v=abcdefghijk',
    'youtube:watch?v=abcdefghijk',
    'vnd.youtube:///watch?v=abcdefghijk',
  ],
  'https//www.youtube.com/watch?v=abcdefghijk',
  `https://consent.youtube.com/m?continue=${encodeURIComponent(watched)}&gl=DE`,
  'https://www.youtube.com/attribution_link?a=x&u=%2Fwatch%3Fv%3Dabcdefghijk',
  `https://www.google.com/url?sa=t&url=${encodeURIComponent(watched)}&usg=x`,
  `https://www.google.co.uk/url?q=${encodeURIComponent(watched)}`,
  `https://l.facebook.com/l.php?u=${encodeURIComponent(watched)}`,
  ...['www.', 'm.', ''].map(part => `https://${part}facebook.com/l.php?u=${encodeURIComponent(watched)}`),
  `https://m.youtube.com/redirect?q=${encodeURIComponent(watched)}`,
  `https://www.youtube.com/redirect?event=x&q=${encodeURIComponent(watched)}`,
  `https://www.google.com/url?q=${encodeURIComponent(`https://consent.youtube.com/m?continue=${encodeURIComponent(watched)}`)}`,
])('%s leads to a video', given => expect(feedAddressOf(given).split('#')[0]).toBe(watched))

it.each([
  ['https://www.youtube.com/watch?v=abcdefghijk?t=10', 'abcdefghijk'],
  ['https://www.youtube.com/v/abcdefghijk&hl=en', 'abcdefghijk'],
  ['https://youtu.be/abcdefghijk&t=5', 'abcdefghijk'],
  ['vnd.youtube:abcdefghijk?t=5', 'abcdefghijk'],
  ['https://www.youtube.com/source/abcdefghijk/shorts', 'abcdefghijk'],
])('%s is a video', (given, id) => expect(platformVideoIdOf(feedAddressOf(given))).toBe(id))

const claim = '0123456789abcdef0123456789abcdef01234567'

it.each([
  [`lbry://@who#a/what#${claim}`, `https://odysee.com/@who:a/what:${claim}`],
  [`LBRY://what:${claim}`, `https://odysee.com/what:${claim}`],
  ['lbry://@Who-Ever#a', 'https://odysee.com/@Who-Ever:a'],
])('%s of LBRY is on Odysee', (given, url) => expect(addressOf(given)).toBe(url))

it.each(['lbry://', 'lbry:what'])('%s names nothing', given => expect(() => feedAddressOf(given)).toThrow())

it.each(['lbry://#', ' #', '#@', 'https://a.example/#', 'a.example/#', '#UC'])(
  'an address is looked for quickly among thousands of %j',
  part => {
    const given = part.repeat(300_000 / part.length)
    expectQuick(500, () => {
      for (const text of [given, `x${given}`, `lbry://${given}`])
        try {
          addressOf(text)
        } catch (fault) {
          expect(fault).toMatchObject({ code: expect.any(String) })
        }
    })
  },
)

it.each(['', '?si=x', '&si=x'])('a list of YouTube Music is a playlist: %s', more =>
  expect(feedAddressOf(`https://music.youtube.com/browse/VLPL0123456789ab${more}`)).toBe(
    `${youtube}?playlist_id=PL0123456789ab`,
  ),
)

it('an address from HTML or an app is written in the usual way', () => {
  expect(addressOf('https://www.youtube.com/watch?v=abcdefghijk&amp;t=5')).toBe(`${watched}&t=5`)
  expect(addressOf('https://music.youtube.com/browse/VLPL0123')).toBe('https://music.youtube.com/playlist?list=PL0123')
  expect(addressOf('youtube://channel/UCabc')).toBe('https://www.youtube.com/channel/UCabc')
})

it('an address inside an address of no redirector stays', () =>
  expect(feedAddressOf(`https://proxy.example/?url=${video}`)).toBe(`https://proxy.example/?url=${video}`))

describe('the name of a channel', () => {
  it.each([
    'field notes',
    ' Field  Notes ',
    'Dr. Field',
    'veritasium',
    'Über Käse',
    'notes & more',
    'Mission: Impossible podcast',
    'AC/DC live',
  ])('is %s', given => expect(nameIn(given)).toBe(given.trim().replace('  ', ' ')))

  it.each([
    '@fieldnotes',
    'host.example',
    'host:8080',
    'https://host.example/a b',
    'host/path',
    'Great talk youtu.be/abcdefghijk',
    '@notes@tube.example',
    channel,
    ' ',
    'a\u0000b',
  ])('is not %s', given => expect(nameIn(given)).toBeUndefined())
})

describe('the address to fetch', () => {
  it.each([
    ['https://host.example/feed', 'https://host.example/feed'],
    ['https://host.example/a,b', 'https://host.example/a,b'],
    ['  host.example/feed ', 'https://host.example/feed'],
    ['host.example:8080/feed', 'https://host.example:8080/feed'],
    ['HTTP://Host.Example/Feed', 'http://host.example/Feed'],
    ['feed://host.example/feed', 'https://host.example/feed'],
    ['feed:http://host.example/feed', 'http://host.example/feed'],
    [`https://www.youtube.com/channel/${channel}/videos`, `${youtube}?channel_id=${channel}`],
    [`youtube.com/channel/${channel}`, `${youtube}?channel_id=${channel}`],
    ['https://www.youtube.com/user/somebody', `${youtube}?user=somebody`],
    ['https://m.youtube.com/playlist?list=PL0123456789ab', `${youtube}?playlist_id=PL0123456789ab`],
    ['https://www.youtube.com/watch?v=abcdefghijk&list=PL0123456789ab', `${youtube}?playlist_id=PL0123456789ab`],
    [
      'https://www.youtube.com/watch?v=abcdefghijk&list=RDabcdefghijk',
      'https://www.youtube.com/watch?v=abcdefghijk&list=RDabcdefghijk',
    ],
    [`${youtube}?channel_id=${channel}`, `${youtube}?channel_id=${channel}`],
    ['@somebody', 'https://www.youtube.com/@somebody'],
    ['＠somebody', 'https://www.youtube.com/@somebody'],
    ['@somebody\u200b', 'https://www.youtube.com/@somebody'],
    ['http://host\r\nX: y/', 'http://host/'],
    ['https://odysee.com/@who:a', 'https://odysee.com/$/rss/@who:a'],
  ])('for %s is %s', (given, address) => expect(feedAddressOf(given)).toBe(address))

  it.each([
    'https://host.example/x%0DERROR:',
    'host.example/feed?a=%250a',
    'https://host.example/%C2%85',
    'host.example/#%00',
  ])('has no control character, also in %s, and says so', given =>
    expect(() => feedAddressOf(given)).toThrow('control characters'),
  )

  it.each([
    'file:///etc/passwd',
    'javascript:alert(1)',
    'ftp://host.example/feed',
    'data:,x',
    'http://user:password@host.example/',
    'http://',
    '',
    'two words',
    `https://host.example/${'x'.repeat(100_000)}`,
  ])('is refused for "%s"', given => {
    expect(() => feedAddressOf(given)).toThrow(expect.objectContaining({ name: 'DomainError', status: 422 }))
  })
})

describe('the feed that a page names', () => {
  const page = new TextDecoder().decode(bytesOf('page-that-names-feeds.html'))

  it('the first feed of a page that is not for comments, and not in a comment or script, is chosen', () => {
    expect(feedsOnPage(page, 'https://host.example/blog/post')[0]?.rss_url).toBe('https://host.example/feed?a=1&b=2')
  })

  it('a relative feed address is resolved against the page’s base', () => {
    const html = `<base href="https://cdn.example/x/"><link rel="alternate" type="application/feed+json" href="y.json">`
    expect(feedsOnPage(html, 'https://host.example/')[0]?.rss_url).toBe('https://cdn.example/x/y.json')
  })

  it('the feed of comments is chosen when there is no other', () => {
    const html = '<link rel="alternate" type="application/rss+xml" href="/comments">'
    expect(feedsOnPage(html, 'https://host.example/')[0]?.rss_url).toBe('https://host.example/comments')
  })

  it('a feed address that is not on the web is ignored', () => {
    const html = '<link rel="alternate" type="application/rss+xml" href="javascript:alert(1)">'
    expect(feedsOnPage(html, 'https://host.example/')[0]?.rss_url).toBeUndefined()
  })
})
