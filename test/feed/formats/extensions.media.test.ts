/** Podcasts that name the film of an episode beside its sound. */
import { describe, expect, it } from 'vitest'
import { parseFeed } from '../../../src/feed/formats/parse.ts'
import { documentOf } from '../../support/media/feeds.ts'

const sound = '<enclosure url="https://h.example/1.mp3" type="audio/mpeg" length="9000000"/>'
const other = (attributes: string, ...uris: string[]) =>
  `<podcast:alternateEnclosure ${attributes}>${uris.map(uri => `<podcast:source uri="${uri}"/>`).join('')}</podcast:alternateEnclosure>`
const entryWith = (xml: string, xmlns = 'xmlns:podcast="https://podcastindex.org/namespace/1.0"') =>
  parseFeed(documentOf(`<rss ${xmlns}><channel><item><title>One</title>${xml}</item></channel></rss>`)).entries[0]

describe('an alternate enclosure', () => {
  it.each<[string, string, string]>([
    ['that is a film is the video', sound + other('type="video/mp4"', 'https://h.example/1.mp4'), '1.mp4'],
    [
      'is the one of highest picture',
      sound +
        [480, 1080, 720]
          .map(height => other(`type="video/mp4" height="${height}"`, `https://h.example/${height}.mp4`))
          .join(''),
      '1080.mp4',
    ],
    [
      'is the default one, when one is',
      sound +
        other('type="video/mp4" height="1080"', 'https://h.example/b.mp4') +
        other('type="video/mp4" height="720" default="true"', 'https://h.example/a.mp4'),
      'a.mp4',
    ],
    [
      'is not the default one when that is sound',
      sound +
        other('type="audio/mpeg" default="true"', 'https://h.example/1.mp3') +
        other('type="video/mp4"', 'https://h.example/1.mp4'),
      '1.mp4',
    ],
    [
      'is at its first source on the web',
      sound +
        other('type="video/mp4"', 'ipfs://abc', 'magnet:?xt=1', 'https://h.example/1.mp4', 'https://h.example/2.mp4'),
      '1.mp4',
    ],
    ['that is sound too does not count', sound + other('type="audio/opus"', 'https://h.example/1.opus'), '1.mp3'],
    [
      'does not count where the enclosure is a film',
      `<enclosure url="https://h.example/0.mp4" type="video/mp4"/>${other('type="video/mp4" height="2160"', 'https://h.example/1.mp4')}`,
      '0.mp4',
    ],
    [
      'counts before the page',
      `<link>https://h.example/page</link>${other('type="video/mp4"', 'https://h.example/1.mp4')}`,
      '1.mp4',
    ],
    ['may be all there is', other('type="video/mp4"', 'https://h.example/1.mp4'), '1.mp4'],
  ])('%s', (_, xml, file) => {
    expect(entryWith(xml)?.video_url).toBe(`https://h.example/${file}`)
  })

  it('an alternate enclosure does not count if the page is on a known platform', () => {
    const xml = `<link>https://vimeo.com/76979871</link>${other('type="video/mp4"', 'https://h.example/1.mp4')}`
    expect(entryWith(xml)?.video_url).toBe('https://vimeo.com/76979871')
  })

  it('an alternate enclosure is known by its namespace, under any prefix', () => {
    const xml = sound + other('type="video/mp4"', 'https://h.example/1.mp4').replaceAll('podcast:', 'p:')
    const xmlns = 'xmlns:p="https://github.com/Podcastindex-org/podcast-namespace/blob/main/docs/1.0.md"'
    expect(entryWith(xml, xmlns)?.video_url).toBe('https://h.example/1.mp4')
  })

  it('an alternate enclosure never changes which video an entry is', () => {
    const before = entryWith(sound)
    const after = entryWith(sound + other('type="video/mp4"', 'https://h.example/1.mp4'))
    expect(after?.video_id).toBe(before?.video_id)
  })
})
