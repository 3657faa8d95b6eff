/** Makes an entry from what a format says about it: which address is the video, what its title is, and which picture it has. Pure. */
import { Facts } from '../../schema/sources/facts.ts'
import type { FeedEntry } from '../../schema/sources/feed.ts'
import { audio_file, video_file } from '../../schema/values/address.ts'
import { type DateReader, dateOf } from '../dates/dates.ts'
import { attributesIn, piecesOf, withoutEntities } from '../markup/html.ts'
import { webUrlOf } from '../markup/web-url.ts'
import { platformVideoIdOf } from '../platforms/by-address.ts'
import { isYouTubeId } from '../platforms/youtube.ts'
import { guidOf, identityOf } from './identity.ts'

export { max_entries } from '../../schema/values/stored.ts'

/** What the reader of each format returns for an entry. Lists are best first; addresses may be relative or not valid. */
export type EntryClues = {
  base: string
  /** The document breaks off inside the entry; the values given here are complete. */
  is_cut?: true | undefined
  links: (string | undefined)[]
  files: MediaFile[]
  /** Other formats of the same episode. They never decide which video it is, because they may be added later or change. */
  alternates?: MediaFile[]
  /** `yt:videoId` */
  youtube_id?: string | undefined
  /** `guid` or `id`, as written. Without one the page identifies the entry: the file may move or be added later. */
  guid?: string | undefined
  /** Plain text, like the description. */
  title: string | undefined
  description: string | undefined
  thumbnails: (Picture | string | undefined)[]
  dates: (string | undefined)[]
  /** How long the video is, as written. */
  durations?: (string | undefined)[]
}

export type MediaFile = {
  url: string | undefined
  /** Media type; often missing or wrong. */
  type?: string | undefined
  /** Media RSS: `video`, `audio`, `image`… */
  medium?: string | undefined
  /** Any number that grows with quality. */
  quality?: number
}

/**
 * The address of the video is the page if yt-dlp knows the platform, because it finds the best quality there and the address never
 * changes. Else it is the file, else any page.
 *
 * Undefined when the entry has no address, and when it breaks off before it is certain which video it is: the file or the guid
 * may be in the missing part, and the next fetch would make it another video. `readDate`: reads dates in the feed's own order.
 */
export function entryOf(clues: EntryClues, readDate: DateReader = dateOf): FeedEntry | undefined {
  const pages = pagesOf(clues)
  const platform_page = pages.find(page => platformVideoIdOf(page) !== undefined)
  const alternate = platform_page === undefined ? alternateVideoOf(clues) : undefined
  const video_url = platform_page ?? fileOf(clues) ?? pages[0] ?? youtubePageOf(clues) ?? alternate
  if (!video_url) return undefined
  const [page] = pages
  const { video_id, aliases, is_platforms } = identityOf(video_url, { ...clues, page })
  if (clues.is_cut && !is_platforms) return undefined
  const duration_seconds = clues.durations
    ?.values()
    .map(durationOf)
    .find(seconds => seconds !== undefined)
  const guid = is_platforms ? undefined : (guidOf(clues.guid, page) ?? guidOf(page, page))
  return {
    video_id,
    video_url: alternate ?? video_url,
    title: clues.title ?? firstLineOf(clues.description) ?? video_id,
    thumbnail_url: entryPicture(clues.thumbnails, clues.base),
    description: clues.description ?? null,
    published_at:
      clues.dates
        .values()
        .map(text => readDate(text))
        .find(date => date !== undefined) ?? null,
    ...(duration_seconds !== undefined && { duration_seconds }),
    ...(guid !== undefined && { guid }),
    ...(aliases !== undefined && { aliases }),
  }
}

/** The title of an entry that has none, as feed readers show it. */
function firstLineOf(description: string | undefined): string | undefined {
  const line = description?.split('\n', 1)[0]?.trim() ?? ''
  const signs = [...line.slice(0, 2 * max_line_characters)]
  return line === ''
    ? undefined
    : signs.length > max_line_characters
      ? `${signs.slice(0, max_line_characters).join('')}…`
      : line
}
const max_line_characters = 100

/** Video before audio. */
const fileOf = ({ files, base }: EntryClues) => bestOf(files, isVideo, base) ?? bestOf(files, isAudio, base)

const youtubePageOf = ({ youtube_id }: EntryClues) =>
  isYouTubeId(youtube_id) ? `https://www.youtube.com/watch?v=${youtube_id}` : undefined

/** The video among the other formats, if the enclosure is not a video. */
const alternateVideoOf = ({ base, files, alternates = [] }: EntryClues) =>
  alternates.length === 0 || bestOf(files, isVideo, base) ? undefined : bestOf(alternates, isVideo, base)

const pagesOf = ({ base, links }: EntryClues): string[] => links.flatMap(link => webUrlOf(withScheme(link), base) ?? [])

/** `www.h.example/a` is read as an address, although it could be a path. */
const withScheme = (link: string | undefined) =>
  link?.trim().replace(/^(?=www\.[a-z0-9-]+(?:\.[a-z0-9-]+)+(?:[/?#:]|$))/i, 'https://')

function bestOf(
  files: MediaFile[],
  fits: (file: MediaFile, path: string) => boolean,
  base: string,
): string | undefined {
  const fitting = files.flatMap(file => {
    const url = webUrlOf(file.url, base)
    return url && fits(file, new URL(url).pathname) ? [{ url, quality: file.quality ?? 0 }] : []
  })
  return fitting.toSorted((a, b) => b.quality - a.quality)[0]?.url
}

const isVideo = ({ type = '', medium }: MediaFile, path: string) =>
  /^video\//i.test(type) ||
  (!/^(audio|image|text)\/|flash/i.test(type) && (medium === 'video' || video_file.test(path)))
const isAudio = ({ type = '', medium }: MediaFile, path: string) =>
  /^audio\//i.test(type) ||
  (!/^(video|image|text)\/|flash/i.test(type) && (medium === 'audio' || audio_file.test(path)))

/**
 * The length of a video in whole seconds, rounded up; undefined for 0 and for anything else that is not a length. Forms: `1:02:03`,
 * `62:03`, `3723`, `3723.5`, `1h 2m 3s`, `62 min`, `1 hour, 2 minutes` and ISO 8601 (`PT1H2M3S`).
 */
export function durationOf(text: string | undefined): number | undefined {
  const given = text?.trim() ?? ''
  const seconds = secondsByClock(given) ?? secondsByPeriod(given)
  const whole = Math.ceil(seconds ?? 0)
  return whole > 0 && Facts.shape.duration_seconds.safeParse(whole).success ? whole : undefined
}

function secondsByClock(text: string): number | undefined {
  if (!/^\d{1,9}(?::\d{1,2}){0,2}(?:[.,]\d{1,6})?$/.test(text)) return undefined
  return text
    .replace(',', '.')
    .split(':')
    .reduce((sum, part) => sum * 60 + Number(part), 0)
}

function secondsByPeriod(text: string): number | undefined {
  const found = period.exec(text.replace(/\s+|[.,](?!\d)/g, ''))
  if (!found) return undefined
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = found.slice(1).map(part => Number(part ?? 0))
  return ((days * 24 + hours) * 60 + minutes) * 60 + seconds
}

const period =
  /^(?:P(?:(\d{1,4})D)?T)?(?:(\d{1,5})h(?:(?:ou)?rs?)?)?(?:(\d{1,6})m(?:in(?:ute)?s?)?)?(?:(\d{1,8}(?:\.\d{1,6})?)s(?:ec(?:ond)?s?)?)?$/i

/** The first picture of a channel whose address is fit for a page. */
export const channelPicture = (pictures: (string | undefined)[], base: string): string | undefined =>
  pictures.flatMap(picture => webUrlOf(picture, base) ?? [])[0]

/** A picture of an entry as the feed names it; the address may be relative, or not valid. */
export type Picture = { url: string | undefined; width?: number }

/** The smallest picture with a size that is wide enough for a card; else the first picture. `null`: there is none. */
function entryPicture(pictures: (Picture | string | undefined)[], base: string): string | null {
  const usable = pictures.flatMap(given => {
    const { url: written, width = 0 } = typeof given === 'object' ? given : { url: given }
    const url = webUrlOf(written, base)
    return url === undefined || isFace(url) ? [] : [{ url, width }]
  })
  const [first] = usable
  if (!first) return null
  // The first picture is best, unless the feed offers several sizes.
  const sized = first.width > 0 ? usable.filter(({ width }) => width > 0) : []
  const [wide] = sized.filter(({ width }) => width >= card_width).sort((a, b) => a.width - b.width)
  const [widest] = sized.toSorted((a, b) => b.width - a.width)
  return (wide ?? widest ?? first).url
}

/** Pixels, for a screen with two pixels per CSS pixel. */
const card_width = 640

/** Whether this is the picture of an author, which would be the same for every entry. */
const isFace = (url: string): boolean => faces.test(url)
const faces =
  /^(?:https?:)?\/\/(?:[\w-]+\.)*(?:gravatar\.com\/avatar|(?:sec)?cdn\.libravatar\.org\/avatar|avatars\d?\.githubusercontent\.com|twimg\.com\/profile_images|ui-avatars\.com)[/?]/i

/** The address of the first image, as written. Tracking pixels and pictures of authors do not count. */
export function pictureIn(html: string | undefined): string | undefined {
  if (html === undefined || !/<img\s/i.test(html)) return undefined
  for (const piece of piecesOf(html)) {
    if (!('tag' in piece) || piece.tag !== 'img' || piece.is_end) continue
    const attributes = attributesIn(piece.attributes)
    const src = attributes.get('src')?.trim()
    const isDot = ['width', 'height'].some(side => /^[0-3](px)?$/.test(attributes.get(side)?.trim() ?? ''))
    if (src && !isDot && !src.startsWith('data:') && !isFace(src)) return withoutEntities(src)
  }
  return undefined
}
