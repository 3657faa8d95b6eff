/** Chooses the folder of each new channel and the name of each new episode. Pure; `db/media/media-numbers.ts` stores them. */
import type { Given, Taken, Unnumbered } from '../../db/media/media-numbers.ts'
import { episodeName, folderKey, folderName } from './names.ts'
import { dayOf, nextNumbers, numberText } from './numbers.ts'

export function giveNumbers({ folders, folder_keys, numbers, videos }: Taken): Given {
  const keys = new Set(folder_keys)
  const channels = new Map<string, Given['channels'][number]>()
  for (const { channel_id, channel_title } of videos) {
    if (folders.has(channel_id) || channels.has(channel_id)) continue
    const folder = freeFolder(channel_title, keys)
    keys.add(folderKey(folder))
    channels.set(channel_id, { channel_id, folder, folder_key: folderKey(folder) })
  }
  const dated = videos.map(video => ({ video, ...dayOf(video.published_at, video.first_seen_at) }))
  const of_season = Map.groupBy(dated, ({ video, season }) => `${season} ${video.channel_id}`)
  const episodes = [...of_season.values()].flatMap(group => {
    const [
      {
        season,
        video: { channel_id },
      } = { season: 0, video: { channel_id: '' } },
    ] = group
    const taken = numbers.filter(number => number.channel_id === channel_id && number.season === season)
    const next = nextNumbers(
      taken.map(({ episode }) => episode),
      group,
    )
    return group.map(({ video }, at) => episodeOf(video, season, next[at] ?? 0))
  })
  return { channels: [...channels.values()], episodes }
}

const episodeOf = ({ video_id, channel_id, title }: Unnumbered, season: number, episode: number) => ({
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
