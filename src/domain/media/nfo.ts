/**
 * Writes what media servers read about a show and an episode, as XML. Pure.
 *
 * Sources: kodi.wiki "NFO files/TV shows" and "NFO files/Episodes" (title is required; runtime in minutes; dates as YYYY-MM-DD), which
 * Plex' NFO agent follows as well; jellyfin.org/docs/general/server/metadata/nfo. Pictures are files with fixed names, so no `thumb` is
 * written and no server requests the site.
 */
import type { ChangedEpisode, MediaFile } from '../../db/media/media-changes.ts'
import type { Channel } from '../../schema/channels/channel.ts'
import { withoutBidiControls } from '../../schema/values/direction.ts'

type Show = Pick<Channel, 'channel_id' | 'title' | 'page_url' | 'rss_url'>
type Episode = Pick<ChangedEpisode, 'video_id' | 'season' | 'episode'> &
  Omit<MediaFile, 'download_path' | 'subtitles' | 'file_hash' | 'words_hash'>

export const showNfo = ({ channel_id, title, page_url, rss_url }: Show): string =>
  documentOf('tvshow', [
    element('title', title),
    element('plot', page_url ?? rss_url),
    element('studio', title),
    element('uniqueid', channel_id, ' type="backlot" default="true"'),
  ])

/** `is_numbered`: the name of the file has a number. Otherwise media servers look for what is said about a film. */
export function videoNfo(video: Episode, { is_numbered }: { is_numbered: boolean }): string {
  const { title, channel_title, season, episode, description, video_url, video_id, duration_seconds } = video
  const aired = video.published_at?.toISOString().slice(0, 10) ?? null
  const numbers = [
    element('showtitle', channel_title),
    element('season', String(season)),
    element('episode', String(episode)),
  ]
  return documentOf(is_numbered ? 'episodedetails' : 'movie', [
    element('title', title),
    ...(is_numbered ? numbers : []),
    element('plot', [description?.slice(0, longest_plot), video_url].filter(Boolean).join('\n\n')),
    element('aired', aired),
    element('premiered', aired),
    element('runtime', duration_seconds === null ? null : String(Math.max(1, Math.round(duration_seconds / 60)))),
    element('studio', channel_title),
    element('dateadded', video.download_completed_at?.toISOString().slice(0, 19).replace('T', ' ') ?? null),
    element('uniqueid', video_id, ` type="${escaped(siteOf(video.video_host))}" default="true"`),
  ])
}

const longest_plot = 20_000

/** As other programs name the large sites. Any other site is named by its host. */
const siteOf = (host: string | null): string =>
  host?.replace(/^(youtube|vimeo|dailymotion|twitch|bilibili)\.\w+$/, '$1') ?? 'backlot'

/** With these lines a file is ours. */
export const nfo_start = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<!-- Backlot writes this file. -->\n'

const documentOf = (root: string, elements: string[]) => `${nfo_start}<${root}>\n${elements.join('')}</${root}>\n`

const element = (name: string, text: string | null, attributes = '') =>
  text === null || text === '' ? '' : `  <${name}${attributes}>${escaped(text)}</${name}>\n`

/** XML 1.0 has no way to write the characters that are removed here. */
const escaped = (text: string) =>
  withoutBidiControls(text)
    .toWellFormed()
    .replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
