/**
 * Recognises the entries of a watch history: in JSON by the names of their fields (Google Takeout, FreeTube, Piped, LibreTube, Invidious
 * and Tube Archivist) or the form of a line (Grayjay), and in the web page of Google Takeout.
 */
import { withoutEntities } from '../markup/html.ts'
import { platformVideoIdOf } from '../platforms/by-address.ts'
import { isYouTubeId } from '../platforms/youtube.ts'
import type { LeftOut, Mark } from './marks.ts'
import { writtenDate } from './written-date.ts'

/** `list`: the field that contains the entry. Undefined: it is not an entry of a watch history. */
export function historyEntryOf(item: unknown, list: string): Mark | LeftOut | undefined {
  if (list === 'watch_history' && typeof item === 'string') return markOf(item, {})
  if (list === '' && typeof item === 'string') return grayjayEntryOf(item)
  if (typeof item !== 'object' || item === null) return undefined
  const fields = item as Record<string, unknown>
  if (typeof fields.header === 'string' && ('titleUrl' in fields || 'time' in fields)) return takeoutEntryOf(fields)
  if (typeof fields.youtube_id === 'string') return tubeArchivistEntryOf(fields.youtube_id, fields.player)
  if (typeof fields.videoId !== 'string' || !isOfHistory(fields, list)) return undefined
  if (list === 'watchPositions') return markOf(fields.videoId, { position_s: thousandth(fields.position) })
  return markOf(fields.videoId, {
    at_ms: numberOf(fields.timeWatched) ?? numberOf(fields.watchedAt),
    position_s: numberOf(fields.watchProgress) ?? numberOf(fields.currentTime),
    duration_s: numberOf(fields.lengthSeconds) ?? numberOf(fields.duration),
  })
}

/** Grayjay writes the address, the seconds since 1970, the position and the title. */
function grayjayEntryOf(line: string): Mark | LeftOut | undefined {
  const [, address, at_s, position_s] = /^(https?:\S{1,2100}?)\|{3}(\d{1,11})\|{3}(-?\d{1,9})\|{3}/.exec(line) ?? []
  return address === undefined ? undefined : entryAt(address, Number(at_s) * 1000, { position_s: Number(position_s) })
}

/** Of the videos in its backup, those that were watched. It writes seconds since 1970. */
function tubeArchivistEntryOf(video_id: string, player: unknown): Mark | LeftOut | undefined {
  const { watched, watched_date } = (player ?? {}) as Record<string, unknown>
  const at_s = numberOf(watched_date)
  return watched === true ? markOf(video_id, { at_ms: at_s && at_s * 1000 }) : undefined
}

/** Playlists and queues of the same apps have items with a `videoId` too. */
const isOfHistory = (fields: Record<string, unknown>, list: string): boolean =>
  ['watchHistory', 'watchPositions'].includes(list) ||
  ['timeWatched', 'watchProgress', 'watchedAt'].some(name => name in fields)

/**
 * Takeout writes everything but the names of the fields in the language of the account. Only advertisements have `details`. An entry
 * without an address was removed from YouTube; a private video still has its address.
 */
function takeoutEntryOf({ header, titleUrl, time, details }: Record<string, unknown>): Mark | LeftOut | undefined {
  if (Array.isArray(details) && details.length > 0) return 'ads'
  if (/music/i.test(String(header))) return 'music'
  if (typeof titleUrl !== 'string') return 'removed'
  const at_ms = typeof time === 'string' ? Date.parse(time) : Number.NaN
  return entryAt(titleUrl, Number.isNaN(at_ms) ? undefined : at_ms)
}

/** The entry of the video at an address. Undefined for a search, which is in a history of its own. */
export function entryAt(
  address: string,
  at_ms: number | undefined,
  more: Partial<Mark> = {},
): Mark | LeftOut | undefined {
  const url = URL.parse(address)
  if (!url || !/^https?:$/.test(url.protocol)) return 'unknown'
  if (url.hostname === 'music.youtube.com') return 'music'
  if (url.pathname === '/results') return undefined
  const video_id = platformVideoIdOf(url.href)
  return video_id === undefined ? 'unknown' : { ...more, video_id, at_ms }
}

const markOf = (video_id: string, more: Omit<Mark, 'video_id'>): Mark | LeftOut =>
  isYouTubeId(video_id) ? { video_id, ...more } : 'unknown'

const numberOf = (value: unknown): number | undefined => {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : undefined
}

const thousandth = (value: unknown): number | undefined => {
  const number = numberOf(value)
  return number === undefined ? undefined : number / 1000
}

const begin = 'outer-cell'

export const isTakeoutHtml = (head: string): boolean => head.includes(begin) && head.includes('content-cell')

/**
 * Every entry of `watch-history.html` of Google Takeout, in the order of the file. The words are in the language of the account, so entries
 * are found by the classes of their boxes, the address of the video and the order of the lines. A box of more than 256 KB is cut.
 */
export async function* takeoutBoxesIn(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Mark | LeftOut> {
  const decoder = new TextDecoder()
  let text = ''
  let is_first = true
  for await (const chunk of chunks) {
    text += decoder.decode(chunk, { stream: true })
    const boxes = text.split(begin)
    text = (boxes.pop() ?? '').slice(0, max_box)
    for (const box of boxes) {
      // The styles of the page come before the first box.
      const entry = is_first ? undefined : entryIn(box)
      is_first = false
      if (entry) yield entry
    }
  }
  const last = is_first ? undefined : entryIn(text)
  if (last) yield last
}

const max_box = 256 * 1024

function entryIn(box: string): Mark | LeftOut | undefined {
  const [head = '', content, , caption = ''] = box.slice(0, max_box).split('content-cell')
  if (content === undefined) return undefined
  if (/music/i.test(withoutTags(head))) return 'music'
  // Products and the reason are always there. Only an advertisement has details, too.
  if ((caption.match(/<b>/g) ?? []).length >= 3) return 'ads'
  const [, address] = /<a href="([^"]{1,2100})"/.exec(content) ?? []
  const date = writtenDate(lastLineOf(content))
  return address === undefined ? 'removed' : entryAt(withoutEntities(address), date)
}

/** The last text before the end of the box, without its tags. */
const lastLineOf = (content: string): string =>
  content
    .split(/<\/div>/)[0]
    ?.split(/<br\s*\/?>/i)
    .map(line => withoutEntities(withoutTags(line)).trim())
    .findLast(line => line !== '') ?? ''

/** A tag ends at the next `<`, so that the time is proportional to the length, whatever the text is. */
const withoutTags = (text: string): string => text.replace(/<[^<>]*>/g, ' ')
