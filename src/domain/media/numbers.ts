/**
 * Seasons and numbers of episodes: the season is the year, the number is the month, the day and a count. Pure.
 *
 * The first video of a day in a channel is 112101, the second 112102, the hundredth 11210100, whether it is downloaded first or last: each
 * length of the ending has its own range of numbers, so that two days never share one. Once given, a number is stored and never computed
 * again.
 */
import type { NewNumbers, TakenNumbers, UnnumberedVideo } from '../../db/media/media.ts'
import { episodeName, folderKey, folderName } from './names.ts'

/** A day of UTC, as `MMDD`. */
type Day = { season: number; month_day: number }

/**
 * A video without a date, or with an impossible one, belongs to the day on which it was first seen. Season 0 would be wrong: for media
 * servers it has the specials. Jellyfin takes years from 1928 to 2500.
 */
export function dayOf(published_at: Date | null, first_seen_at: Date): Day {
  const year = published_at?.getUTCFullYear() ?? 0
  const at = published_at && year >= 1928 && year <= 2500 ? published_at : first_seen_at
  return { season: at.getUTCFullYear(), month_day: (at.getUTCMonth() + 1) * 100 + at.getUTCDate() }
}

/** The digits after the month and day. */
const endings = [
  { digits: 2, last: 99 },
  { digits: 4, last: 9_999 },
  { digits: 6, last: 999_999 },
]

/** The number of the nth video of a day; `nth` is 1 for the first. */
export function numberOf({ month_day }: Pick<Day, 'month_day'>, nth: number): number {
  const { digits } = endings.find(({ last }) => nth <= last) ?? tooMany()
  return month_day * 10 ** digits + nth
}

const tooMany = (): never => {
  throw new Error('a day of a channel has a million videos')
}

/** A number in the form of a file name, with the zero of an early month: 010501. */
export const numberText = (episode: number): string => {
  const { digits } = partsOf(episode)
  return String(episode).padStart(4 + digits, '0')
}

/** The day of a number, and the place of the video in that day. */
function partsOf(episode: number) {
  const { digits } = endings.find(({ digits }) => episode < 10 ** (4 + digits)) ?? tooMany()
  const month_day = Math.floor(episode / 10 ** digits)
  return { digits, month_day, nth: episode % 10 ** digits }
}

/**
 * Gives each new video of one channel and season a number. `taken`: the numbers of that season. `nth_of_day`: the place of the video among
 * all known videos of its day, downloaded or not, so that downloads in any order are numbered in order. Where it is not given, or this
 * number is taken, the video comes after all of its day.
 */
export function nextNumbers(taken: number[], videos: { month_day: number; nth_of_day?: number }[]): number[] {
  const given = new Map<number, Set<number>>()
  for (const { month_day, nth } of taken.map(partsOf))
    given.set(month_day, (given.get(month_day) ?? new Set()).add(nth))
  const latest = new Map([...given].map(([month_day, all]) => [month_day, Math.max(...all)]))
  return videos.map(({ month_day, nth_of_day }) => {
    const of_day = given.get(month_day) ?? new Set()
    const is_free = nth_of_day !== undefined && !of_day.has(nth_of_day)
    const nth = is_free ? nth_of_day : (latest.get(month_day) ?? 0) + 1
    given.set(month_day, of_day.add(nth))
    latest.set(month_day, Math.max(nth, latest.get(month_day) ?? 0))
    return numberOf({ month_day }, nth)
  })
}

/** Chooses the folder of each new channel and the name of each new episode; `db/media/media.ts` stores them. */
export function giveNumbers({ folders, folder_keys, numbers, videos }: TakenNumbers): NewNumbers {
  const keys = new Set(folder_keys)
  const channels = new Map<string, NewNumbers['channels'][number]>()
  for (const { channel_id, channel_title } of videos) {
    if (folders.has(channel_id) || channels.has(channel_id)) continue
    const folder = freeFolder(channel_title, keys)
    keys.add(folderKey(folder))
    channels.set(channel_id, { channel_id, folder, folder_key: folderKey(folder) })
  }
  const dated = videos.map(video => ({ video, ...dayOf(video.published_at, video.first_seen_at) }))
  const of_season = Map.groupBy(dated, ({ video, season }) => `${season} ${video.channel_id}`)
  const episodes = [...of_season.values()].flatMap(group => {
    const [first] = group
    const taken = numbers
      .filter(({ channel_id, season }) => channel_id === first?.video.channel_id && season === first.season)
      .map(({ episode }) => episode)
    const next = nextNumbers(taken, group)
    return group.map(({ video, season }, at) => episodeOf(video, season, next[at] ?? 0))
  })
  return { channels: [...channels.values()], episodes }
}

const episodeOf = ({ video_id, channel_id, title }: UnnumberedVideo, season: number, episode: number) => ({
  video_id,
  channel_id,
  season,
  episode,
  name: episodeName(season, numberText(episode), title, video_id),
})

function freeFolder(title: string, taken: ReadonlySet<string>): string {
  for (let nth = 1; ; nth++) {
    const folder = folderName(title, nth)
    if (!taken.has(folderKey(folder))) return folder
  }
}
