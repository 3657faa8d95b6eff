/** NFO files are well-formed XML with the elements that Kodi, Plex and Jellyfin document. */
import fc from 'fast-check'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { expect, it } from 'vitest'
import { showNfo, videoNfo } from '../../../src/domain/media/nfo.ts'
import { holds } from '../../support/run/holds.ts'

const episode = {
  video_id: 'aqz-KE-bpKQ',
  channel_title: 'Bread & Butter',
  title: 'Rye <b>bread</b>',
  description: 'First line\nSecond line',
  video_url: 'https://www.youtube.com/watch?v=aqz-KE-bpKQ&t=1',
  video_host: 'youtube.com',
  season: 2026,
  episode: 1121,
  published_at: new Date('2026-11-21T23:30:00Z'),
  duration_seconds: 634,
  download_completed_at: new Date('2026-11-22T08:00:01Z'),
}
const show = {
  channel_id: 'UC1',
  title: 'Bread & Butter',
  page_url: 'https://www.youtube.com/channel/UC1',
  rss_url: null,
}

const read = (xml: string) => {
  expect(XMLValidator.validate(xml)).toBe(true)
  return new XMLParser({ ignoreAttributes: false, parseTagValue: false, trimValues: false }).parse(xml, true)
}

it('an episode has all that is known of the video, in the forms that the servers document', () => {
  expect(read(videoNfo(episode, { is_numbered: true })).episodedetails).toMatchObject({
    title: 'Rye <b>bread</b>',
    showtitle: 'Bread & Butter',
    season: '2026',
    episode: '1121',
    plot: 'First line\nSecond line\n\nhttps://www.youtube.com/watch?v=aqz-KE-bpKQ&t=1',
    aired: '2026-11-21',
    premiered: '2026-11-21',
    runtime: '11',
    studio: 'Bread & Butter',
    dateadded: '2026-11-22 08:00:01',
    uniqueid: { '#text': 'aqz-KE-bpKQ', '@_type': 'youtube', '@_default': 'true' },
  })
})

it('an episode without a date, description and length has no such elements', () => {
  const xml = videoNfo(
    {
      ...episode,
      published_at: null,
      description: null,
      duration_seconds: null,
      download_completed_at: null,
    },
    { is_numbered: true },
  )
  expect(Object.keys(read(xml).episodedetails).filter(name => name !== '#text')).toEqual([
    ...['title', 'showtitle', 'season', 'episode', 'plot', 'studio', 'uniqueid'],
  ])
})

it('a film has no number and no show, and the rest is that of an episode', () => {
  const film = read(videoNfo(episode, { is_numbered: false })).movie
  const { showtitle, season, episode: number, ...rest } = read(videoNfo(episode, { is_numbered: true })).episodedetails
  expect([showtitle, season, number]).toEqual(['Bread & Butter', expect.anything(), expect.anything()])
  expect({ ...film, '#text': '' }).toEqual({ ...rest, '#text': '' })
})

it('a show has a title, the address of its channel and a unique id', () => {
  expect(read(showNfo(show)).tvshow).toMatchObject({
    title: 'Bread & Butter',
    plot: 'https://www.youtube.com/channel/UC1',
    uniqueid: { '#text': 'UC1', '@_type': 'backlot', '@_default': 'true' },
  })
})

it('no text, whatever its characters, breaks the XML or adds an element', () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      '</title><plot>',
      ']]>',
      '<![CDATA[',
      '&#0;',
      '&lol;',
      '\u0000\u0008\u000B',
      '\uFFFE',
      '\uD800',
      '<!DOCTYPE x>',
    ),
  )
  holds(
    fc.property(hostile, hostile, hostile, hostile, (title, description, video_host, channel_title) => {
      const xml = videoNfo(
        {
          ...episode,
          title: `t${title}`,
          description,
          video_host,
          channel_title: `c${channel_title}`,
        },
        { is_numbered: true },
      )
      expect(read(xml).episodedetails.title).toMatch(/^t/)
      expect(xml.match(/<title>/g)).toHaveLength(1)
      expect(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u.test(xml)).toBe(false)
      expect(read(showNfo({ ...show, title: `t${title}`, channel_id: description })).tvshow.title).toMatch(/^t/)
    }),
  )
})
