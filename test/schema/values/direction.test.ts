import { describe, expect, it } from 'vitest'
import { m3uOf } from '../../../src/domain/media/m3u.ts'
import { showNfo, videoNfo } from '../../../src/domain/media/nfo.ts'
import { chaptersOf } from '../../../src/domain/podcasts/episode-files.ts'
import { documentOf } from '../../../src/domain/podcasts/xml.ts'
import { opmlOf } from '../../../src/feed/lists/opml.ts'
import { withoutBidiControls } from '../../../src/schema/values/direction.ts'
import { oneLine } from '../../../src/senders/texts.ts'
import { metadataText } from '../../../src/ytdlp/ask/info-file.ts'

const marks = '\u061c\u200e\u200f'
const turns = '\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069'

it('every character that turns the direction is removed, and the marks, joiners and letters stay', () => {
  const all = Array.from({ length: 0x3000 }, (_, code) => String.fromCharCode(code)).join('')
  const controls = all.match(/\p{Bidi_Control}/gu)?.join('')
  expect(controls).toBe([...(marks + turns)].toSorted().join(''))
  expect([...all].filter(one => withoutBidiControls(one) === '').join('')).toBe(turns)
  expect(withoutBidiControls('👨‍👩‍👧 می‌روم')).toBe('👨‍👩‍👧 می‌روم')
})

const title = [...turns].map(one => `שלום ${one}elpmaxe`).join(' ')
const video = {
  ...{ video_id: 'v', title, channel_title: title, description: title, video_url: null, video_host: null },
  ...{ season: 2026, episode: 1, published_at: null, duration_seconds: null, download_completed_at: null },
}

describe('no document that leaves for another program turns its text', () => {
  const documents: [string, () => string | Promise<string>][] = [
    ['the XML of podcasts', () => documentOf('rss', { '@title': title, channel: { title, '#': title } })],
    [
      'the chapters of a podcast',
      () => JSON.stringify(chaptersOf({ chapters: [{ start_seconds: 0, title }] } as never)),
    ],
    ['the NFO of an episode', () => videoNfo(video as never, { is_numbered: true })],
    ['the NFO of a show', () => showNfo({ channel_id: 'UC1', title, page_url: null, rss_url: null } as never)],
    ['a playlist', () => m3uOf([{ ...video, folder: 'f', season: 1, name: 'n', extension: 'mp4' } as never])],
    ['the list of channels', () => opmlOf([{ title, rss_url: 'https://videos.example/feed' }], new Date(0))],
    ['the tags of a file', () => metadataText({ title, channel: title, description: title } as never, undefined)],
    ['the subject of a mail', () => oneLine(title)],
  ]
  it.each(documents)('%s', async (_, write) => {
    const text = await write()
    expect(text).toContain('elpmaxe')
    expect(text).not.toMatch(new RegExp(`[${turns}]`))
  })
})
