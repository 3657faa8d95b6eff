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

export function episodeNfo(episode: Episode): string {
  const { title, channel_title, season, description, video_url, video_id, duration_seconds } = episode
  const aired = episode.published_at?.toISOString().slice(0, 10) ?? null
  return documentOf('episodedetails', [
    element('title', title),
    element('showtitle', channel_title),
    element('season', String(season)),
    element('episode', String(episode.episode)),
    element('plot', [description?.slice(0, longest_plot), video_url].filter(Boolean).join('\n\n')),
    element('aired', aired),
    element('premiered', aired),
    element('runtime', duration_seconds === null ? null : String(Math.max(1, Math.round(duration_seconds / 60)))),
    element('studio', channel_title),
    element('dateadded', episode.download_completed_at?.toISOString().slice(0, 19).replace('T', ' ') ?? null),
    element('uniqueid', video_id, ` type="${escaped(siteOf(episode.video_host))}" default="true"`),
  ])
}

const longest_plot = 20_000

/** As other programs name the large sites. Any other site is named by its host. */
const siteOf = (host: string | null): string =>
  host?.replace(/^(youtube|vimeo|dailymotion|twitch|bilibili)\.\w+$/, '$1') ?? 'backlot'

const documentOf = (root: string, elements: string[]) =>
  `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<${root}>\n${elements.join('')}</${root}>\n`

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
