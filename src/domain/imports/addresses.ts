/** The addresses of videos of which only the platform and its identifier are known, as in yt-dlp's list of downloads. Pure. */
import { isYouTubeId } from '../../feed/platforms/youtube.ts'
import { videoIdAt } from '../videos/looked-entry.ts'

/** The keys are yt-dlp's names of its extractors, in lower case. */
const platforms: Record<string, (id: string) => string | undefined> = {
  youtube: id => (isYouTubeId(id) ? `https://www.youtube.com/watch?v=${id}` : undefined),
  vimeo: id => (/^\d{4,12}$/.test(id) ? `https://vimeo.com/${id}` : undefined),
  dailymotion: id => (/^[a-z0-9]{5,20}$/.test(id) ? `https://www.dailymotion.com/video/${id}` : undefined),
  twitchvod: id => (/^v?\d{6,15}$/.test(id) ? `https://www.twitch.tv/videos/${id.replace(/^v/, '')}` : undefined),
  bilibili: id => (/^BV1\w{9}$/.test(id) ? `https://www.bilibili.com/video/${id}` : undefined),
  niconico: id => (/^(sm|nm|so)?\d{1,12}$/.test(id) ? `https://www.nicovideo.jp/watch/${id}` : undefined),
}

/** The platforms whose addresses are known, by yt-dlp's names. */
export const known_platforms = Object.keys(platforms)

export type VideoAddress = { video_id: string; video_url: string }

/** `undefined`: the platform is unknown, or this is no identifier of it. */
export function videoOf(platform: string, id: string): VideoAddress | undefined {
  const name = platform
    .toLowerCase()
    // Older NFO files of ours name the host, and the site in the id of a video.
    .replace(/^(?:www\.)?(youtube|vimeo|dailymotion|bilibili)\.com$/, '$1')
    .replace(/^twitch(?::vod|\.tv)?$/, 'twitchvod')
  const video_url = Object.hasOwn(platforms, name)
    ? platforms[name]?.(id.replace(/^(?:vimeo|dailymotion|twitch|bilibili|niconico)\./, ''))
    : undefined
  return video_url === undefined ? undefined : { video_id: videoIdAt(video_url), video_url }
}

/** The key of one line of yt-dlp's list of downloads (`--download-archive`): a platform and an identifier. */
export const downloadKeyIn = (line: string): string | undefined => {
  const [, platform = '', id] = /^([a-z0-9:_-]{2,40}) (\S{1,100})$/i.exec(line.trim()) ?? []
  return id === undefined ? undefined : downloadKey(platform, id)
}

const downloadKey = (platform: string, id: string): string => `${platform.toLowerCase()} ${id}`

/** The video with this identifier in a list of downloads. `listed`: the keys of the lines of all lists. */
export function listedVideo(id: string, listed: ReadonlySet<string>): VideoAddress | undefined {
  const platform = known_platforms.find(name => listed.has(downloadKey(name, id)))
  return platform === undefined ? undefined : videoOf(platform, id)
}
