/** Reads the links that browsers and players store: bookmarks, links of macOS, and playlists of addresses (M3U, XSPF). Pure. */
import { withoutEntities } from '../markup/html.ts'
import { addressesIn, isNamed, type RawLine } from '../pages/addresses.ts'
import { looksLikeFeed } from '../pages/page-feeds.ts'
import { isOfChannel } from '../platforms/by-address.ts'
import { isYouTube } from '../platforms/youtube.ts'
import { quotedAttributesIn } from './opml.ts'

/** Undefined: the text is something else. The lines are read one by one, because a list may have too many. */
export function storedLinksIn(text: string): Iterable<RawLine> | undefined {
  const head = text.slice(0, 2000)
  if (/^<!doctype netscape-bookmark/i.test(head)) return bookmarksIn(text)
  if (/^#EXTM3U/i.test(head)) return tracksIn(text)
  if (/<playlist\s[^<>]*xspf/i.test(head))
    return text
      .split(/<track(?=[\s>])/i)
      .values()
      .drop(1)
      .map(trackOf)
  if (!/<plist[\s>]/i.test(head)) return undefined
  return text.matchAll(/<key>URL<\/key>\s*<string>([^<]*)/gi).map(([, url = '']) => ({ address: withoutEntities(url) }))
}

/** Most bookmarks are other pages, so only the pages of channels and what looks like a feed is taken. */
const bookmarksIn = (text: string): Iterable<RawLine> =>
  text.matchAll(/<a\s([^<>]*)>([^<]*)/gi).map(([, attributes = '', title = '']) => {
    const { feedurl, href = '' } = Object.fromEntries(quotedAttributesIn(attributes))
    const address = feedurl ?? href
    const url = /^https?:/i.test(address) ? URL.parse(address) : null
    const is_taken = url && (feedurl !== undefined || isFeed(url) || isOfChannel(url.href))
    return is_taken ? { address, title: withoutEntities(title) } : null
  })

/** On YouTube, `/feed/` begins the pages that a person sees after signing in. */
const isFeed = ({ hostname, href }: URL): boolean => !isYouTube(hostname) && looksLikeFeed(href)

/** The title is in a comment before the address, behind attributes that may have commas in quotes. */
function* tracksIn(text: string): Generator<RawLine> {
  let title: string | undefined
  for (const [line] of text.matchAll(/[^\r\n]+/g)) {
    if (line.startsWith('#')) title = /^#EXTINF:[^,"]*(?:"[^"]*"[^,"]*){0,100},(.*)/i.exec(line)?.[1] ?? title
    else {
      for (const found of addressesIn(line))
        yield isNamed(found) && isOnline(found.address) ? { title, ...found } : null
      title = undefined
    }
  }
}

function trackOf(track: string): RawLine {
  const [, address = ''] = /<location>\s*([^<]*)/i.exec(track) ?? []
  const [, title] = /<title>([^<]*)/i.exec(track) ?? []
  return isOnline(address) ? { address: withoutEntities(address), title: title && withoutEntities(title) } : null
}

/** Players also play files of the computer. */
const isOnline = (address: string): boolean => address !== '' && !/^file:/i.test(address)
