/** The channels, playlists and videos of the small YouTube. A test may change all of them while it runs. */

/**
 * Who can watch a video, or what keeps it from being played. `limited`: YouTube slows this session down. `ended`: a live stream without a
 * recording yet. `post_live`: what there is of the recording can be played. `copyright`: blocked in this country.
 */
export type Kind =
  | 'public'
  | 'members'
  | 'age'
  | 'private'
  | 'removed'
  | 'upcoming'
  | 'live'
  | 'ended'
  | 'post_live'
  | 'bot'
  | 'country'
  | 'copyright'
  | 'limited'

/** `automatic`: made by the site, which then also offers translations of it. */
export type SmallCaptions = { language: string; vtt: string; automatic?: boolean }

/** The sound in one language. `is_default`: YouTube chose it for this viewer, which says nothing about the original. */
export type SmallTrack = { language: string; kind: 'original' | 'dubbed' | 'dubbed-auto'; is_default?: boolean }

export type SmallVideo = {
  /** Eleven characters. */
  id: string
  title: string
  seconds: number
  published_at: Date
  tab: 'videos' | 'shorts' | 'streams'
  kind: Kind
  /** Of an upcoming video. */
  starts_at?: Date
  captions?: SmallCaptions[]
  /** The name of a film of `films.ts`, which must last as long as `seconds` say. The plain one, made as long, otherwise. */
  film?: string
  /** The numbers of separate pictures and sounds (`itags.ts`) beside the small joined one. `seconds` must be theirs. */
  formats?: number[]
  /** The languages of separate sounds. */
  tracks?: SmallTrack[]
}

export type SmallChannel = {
  channel_id: string
  handle: string
  title: string
  /** Of all tabs, the newest first. */
  videos: SmallVideo[]
}

export type SmallPlaylist = { list_id: string; title: string; channel: SmallChannel; video_ids: string[] }

type CatalogueOptions = {
  /** How many videos each tab has. */
  videos?: number
  shorts?: number
  streams?: number
  /** When the newest video was published. */
  newest_at?: Date
  every_hours?: number
}

/**
 * `name`: at most 22 letters. Its first four begin the ids of its videos, so they must differ between the channels of a test. Twenty
 * thousand videos take half a second.
 */
export function smallChannel(name: string, options: CatalogueOptions = {}): SmallChannel {
  const {
    videos = 40,
    shorts = 0,
    streams = 0,
    newest_at = new Date(Date.now() - 3_600_000),
    every_hours = 24,
  } = options
  const tabs = [
    ...Array.from({ length: videos }, () => 'videos' as const),
    ...Array.from({ length: shorts }, () => 'shorts' as const),
    ...Array.from({ length: streams }, () => 'streams' as const),
  ]
  return {
    channel_id: `UC${name.padEnd(22, '0')}`,
    handle: `@${name}`,
    title: `Channel ${name}`,
    videos: tabs
      .map((tab, n) => {
        const place = tab === 'videos' ? n : tab === 'shorts' ? n - videos : n - videos - shorts
        const published_at = new Date(newest_at.getTime() - place * every_hours * 3_600_000)
        return smallVideo(`${name.slice(0, 4)}${letters[tab]}`, place, { tab, published_at })
      })
      .toSorted((a, b) => b.published_at.getTime() - a.published_at.getTime()),
  }
}

/** In the ids of the videos of a tab. */
const letters = { videos: 'v', shorts: 's', streams: 'l' }

/** `prefix`: at most five letters. */
export const smallVideo = (prefix: string, number: number, more: Partial<SmallVideo> = {}): SmallVideo => ({
  id: `${prefix}${String(number).padStart(11 - prefix.length, '0')}`,
  title: `Video ${number} of ${prefix}`,
  seconds: 61 + (number % 600),
  published_at: new Date(),
  tab: 'videos',
  kind: 'public',
  ...more,
})

export const page_size = 30

/** One page of what a tab lists, and where the next one begins. */
export function tabPage({ videos }: SmallChannel, tab: string, from: number) {
  return pageOf(
    videos.filter(video => video.tab === tab && isListed(video)),
    from,
  )
}

export function pageOf<T>(all: T[], from: number, size = page_size): { items: T[]; next: number | undefined } {
  return { items: all.slice(from, from + size), next: from + size < all.length ? from + size : undefined }
}

export const isListed = ({ kind }: SmallVideo): boolean => kind !== 'removed' && kind !== 'private'

/** "3 days ago", as YouTube says it. */
export function ago(at: Date, now = new Date()): string {
  const hours = Math.max(0, (now.getTime() - at.getTime()) / 3_600_000)
  const [, per, unit] = units.find(([least]) => hours >= least) ?? units.at(-1) ?? [0, 1, 'hour']
  const count = Math.max(1, Math.floor(hours / per))
  return `${count} ${unit}${count === 1 ? '' : 's'} ago`
}

const units: [least_hours: number, hours: number, unit: string][] = [
  [365 * 24, 365 * 24, 'year'],
  [30 * 24, 30 * 24, 'month'],
  [14 * 24, 7 * 24, 'week'],
  [24, 24, 'day'],
  [0, 1, 'hour'],
]

/** 61 → "1:01" */
export function clock(seconds: number): string {
  const two = (n: number) => String(n).padStart(2, '0')
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`
}

export const pictureOf = (id: string): string => `https://i.ytimg.com/vi/${id}/hqdefault.jpg`
export const avatarOf = ({ channel_id }: SmallChannel): string => `https://yt3.ggpht.com/${channel_id}=s900`
