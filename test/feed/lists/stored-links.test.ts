/** Links as browsers and players store them. */
import { expect, it } from 'vitest'
import { parseList } from '../../../src/feed/lists/parse-list.ts'
import { storedLinksIn } from '../../../src/feed/lists/stored-links.ts'
import { expectQuick } from '../../support/app/quick.ts'

const read = (text: string) => {
  const { lines, passed_over } = parseList(text)
  return { lines: lines.map(({ address, title }) => [address, title]), passed_over }
}
const channel = 'https://www.youtube.com/@slow'
const feed = 'https://kitchen.example/feed.xml?a=1&b=2'

it('bookmarks of browsers give the pages of channels and what looks like a feed', () => {
  const bookmarks = `<!DOCTYPE NETSCAPE-Bookmark-file-1>
    <META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8"><TITLE>Bookmarks</TITLE><H1>Bookmarks</H1>
    <DL><p><DT><H3 ADD_DATE="1">Videos</H3><DL><p>
    <DT><A HREF="${channel}" ADD_DATE="1" ICON="data:image/png;base64,iVBOR==">Slow &amp; low</A>
    <DT><A HREF="${feed.replace('&', '&amp;')}">Kitchen</A>
    <DT><A FEEDURL="https://live.example/all" HREF="https://live.example/">Live</A>
    <DT><A HREF="https://www.youtube.com/feed/subscriptions">Subscriptions</A>
    <DT><A HREF="https://www.youtube.com/watch?v=dQw4w9WgXcQ">One video</A>
    <DT><A HREF="https://commentary.example/?feed=rss2">Talk</A>
    <DT><A HREF="https://kitchen.example/comments/feed/">Comments</A>
    <DT><A HREF="https://kitchen.example/what-is-rss">An article</A>
    <DT><A HREF="https://bank.example/">My bank</A>
    <DT><A HREF="javascript:alert('https://a.example/feed')">Share</A></DL><p></DL>`
  expect(read(bookmarks)).toEqual({
    lines: [
      [channel, 'Slow & low'],
      [feed, 'Kitchen'],
      ['https://live.example/all', 'Live'],
      ['https://commentary.example/?feed=rss2', 'Talk'],
    ],
    passed_over: 6,
  })
  expect(() => read('<!DOCTYPE NETSCAPE-Bookmark-file-1><DT><A HREF="https://bank.example/">My bank</A>')).toThrow(
    'No channels found',
  )
})

it('playlists of players keep the titles of their addresses', () => {
  const m3u = `#EXTM3U\r\n#PLAYLIST:Mine\r\n#EXTINF:-1 tvg-name="a, b" group-title="x",Slow, low\r\n#EXTVLCOPT:x\r\n${channel}\r\n\r\n${feed}\r\nfile:///a.mp4\r\n`
  const xspf = `<?xml version="1.0"?><playlist version="1" xmlns="http://xspf.org/ns/0/"><title>Mine</title><trackList>
    <track><title>Slow, low</title><location>${channel}</location></track>
    <track><location> ${feed.replace('&', '&amp;')}</location></track><track><location>file:///a.mp4</location></track></trackList></playlist>`
  const lines = [
    [channel, 'Slow, low'],
    [feed, null],
  ]
  expect(read(m3u)).toEqual({ lines, passed_over: 1 })
  expect(read(xspf)).toEqual({ lines, passed_over: 1 })
})

it('a list of too many links is read no further than its limit', () => {
  const links = Array.from({ length: 40_000 }, (_, at) => `<a href="https://www.youtube.com/@c${at}">`)
  const bookmarks = `<!DOCTYPE NETSCAPE-Bookmark-file-1>${links.join('')}`
  expectQuick(10, () => Iterator.from(storedLinksIn(bookmarks) ?? []).next())
  const titles = storedLinksIn(`#EXTM3U\n#EXTINF:${'""'.repeat(1_000_000)}\n${channel}`)
  expect([...(titles ?? [])]).toEqual([{ address: channel, title: undefined }])
})

it('a link of macOS is read, and a list of settings is none', () => {
  const link = (key: string) =>
    `<?xml version="1.0"?><!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "x">\n<plist><dict><key>${key}</key>\n<string>${feed.replace('&', '&amp;')}</string></dict></plist>`
  expect(read(link('URL'))).toEqual({ lines: [[feed, null]], passed_over: 0 })
  expect(() => read(link('Location'))).toThrow(/Use an OPML file|Paste addresses/)
})

it('a saved page is refused with what to do, and a list in angle brackets is read', () => {
  for (const page of ['<!doctype html><html><a href="/@slow">Slow</a>', '<HTML lang="en">'])
    expect(() => read(page)).toThrow('This is a web page and no list. Paste the links of its channels, one per line.')
  expect(read('<https://kitchen.example/a.html>').lines).toEqual([['https://kitchen.example/a.html', null]])
})

it.each([
  ['links', `<!DOCTYPE NETSCAPE-Bookmark-file-1>${'<a '.repeat(600_000)}`],
  ['attributes', `<!DOCTYPE NETSCAPE-Bookmark-file-1><a ${'href="'.repeat(300_000)}>`],
  ['titles', `#EXTM3U\n#EXTINF:${'"'.repeat(900_000)}`],
  ['titles that end', `#EXTM3U\n${'#EXTINF:",\n'.repeat(180_000)}`],
  ['tracks', `<playlist xspf>${'<track><location>'.repeat(110_000)}`],
  ['links of macOS', `<plist>${'<key>URL</key> '.repeat(130_000)}`],
  ['rows of a playlist', 'dQw4w9WgXcQ,2024-01-02T03:04'.repeat(70_000)],
  ['handles', 'a,@b\n'.repeat(400_000)],
])('hostile %s are read quickly', (_, text) => {
  expectQuick(1000, () => {
    try {
      parseList(text)
    } catch (fault) {
      expect(fault).toMatchObject({ code: expect.stringMatching(/invalid|too_large/) })
    }
  })
})
