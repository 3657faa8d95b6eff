/**
 * The extensions that RSS and Atom share: Media RSS and Podcasting 2.0 for video files and pictures, and the times between two requests.
 * Pure.
 */
import type { Element } from '../markup/element.ts'
import { descriptionOf, titleOf } from '../markup/html.ts'
import { childrenOf, textAt, textIn } from '../markup/xml.ts'
import type { MediaFile, Picture } from './entry.ts'

type Media = {
  files: MediaFile[]
  thumbnails: Picture[]
  players: (string | undefined)[]
  /** The lengths of the video files, as written. */
  durations: (string | undefined)[]
  title: string | undefined
  description: string | undefined
}

export function mediaOf(entry: Element): Media {
  const groups = [...childrenOf(entry, 'media:group'), entry]
  const contents = groups.flatMap(group => childrenOf(group, 'media:content'))
  // Elements inside a group or a content belong to the entry.
  const places = [...groups, ...contents]
  const all = (name: string) => places.flatMap(place => childrenOf(place, `media:${name}`))
  return {
    files: contents.map(fileOf),
    thumbnails: [
      ...all('thumbnail').map(pictureOf),
      ...contents.filter(content => isImage(content.attributes)).map(pictureOf),
    ],
    players: all('player').map(addressOf),
    durations: contents.map(({ attributes }) => attributes.duration),
    title: firstText(all('title'), titleOf),
    description: firstText(all('description'), descriptionOf),
  }
}

/** The attribute `url`; in old feeds the text inside. */
const addressOf = (element: Element) => element.attributes.url ?? textIn(element)

/**
 * `podcast:alternateEnclosure`: the same episode in other formats. The default one is best, else the one with the highest
 * picture. Only sources on the web can be fetched.
 */
export const alternatesOf = (entry: Element): MediaFile[] =>
  childrenOf(entry, 'podcast:alternateenclosure').map(alternate => {
    const { type, height, bitrate, length, default: is_default } = alternate.attributes
    const sources = childrenOf(alternate, 'podcast:source').map(({ attributes }) => attributes.uri)
    return {
      url: sources.find(uri => /^\s*https?:/i.test(uri ?? '')),
      type,
      quality:
        is_default === 'true'
          ? Number.MAX_SAFE_INTEGER
          : Number(height) * 1e9 || Number(bitrate) || Number(length) || 0,
    }
  })

const pictureOf = (element: Element): Picture => ({
  url: addressOf(element),
  width: Number(element.attributes.width) || 0,
})

const isImage = ({ medium, type }: Record<string, string>) => medium === 'image' || /^image\//i.test(type ?? '')

const fileOf = ({ attributes: { url, type, medium, height, bitrate, filesize } }: Element): MediaFile => ({
  url,
  type,
  medium,
  quality: Number(height) || Number(bitrate) || Number(filesize) || 0,
})

function firstText(elements: Element[], read: (text: string, kind: 'html' | 'text') => string | undefined) {
  return elements
    .map(element => read(textIn(element), element.attributes.type === 'plain' ? 'text' : 'html'))
    .find(text => text !== undefined)
}

/**
 * How often a feed wants to be fetched, in minutes: the longer of `ttl` of RSS and of the `sy:` elements of RSS 1.0, which blogs still use;
 * undefined when there is neither.
 */
export function everyMinutesOf(channel: Element): number | undefined {
  const said = [wholeAt(channel, 'ttl') ?? 0, periodOf(channel)]
  const longest = Math.round(Math.max(...said))
  return longest > 0 ? Math.min(longest, minutes.yearly) : undefined
}

function periodOf(channel: Element): number {
  const period = textAt(channel, 'sy:updateperiod')?.trim().toLowerCase() ?? ''
  const times = wholeAt(channel, 'sy:updatefrequency') ?? 1
  return isPeriod(period) && times > 0 ? minutes[period] / times : 0
}

function wholeAt(element: Element, name: string): number | undefined {
  const text = textAt(element, name)?.trim() ?? ''
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined
}

const minutes = { hourly: 60, daily: 24 * 60, weekly: 7 * 24 * 60, monthly: 30 * 24 * 60, yearly: 365 * 24 * 60 }
const isPeriod = (word: string): word is keyof typeof minutes => Object.hasOwn(minutes, word)
