/** The paths of pages and of what their forms do. */
import manifest from '../../../package.json' with { type: 'json' }
import type { Download } from '../downloads/download.ts'
import type { SavedSearch, SearchOf } from '../search/saved-search.ts'
import type { MarkedList } from '../watching/viewing.ts'

/** The address if it is safe in a link: http(s) only, never `javascript:`. */
export function webUrl(url: string | null | undefined): string | undefined {
  const address = url ? URL.parse(url) : null
  return address && /^https?:$/.test(address.protocol) ? address.href : undefined
}

/** A guide of `docs`, where the project is published. `name`: of its file, without the ending. */
export const guideAddress = (name: string): string =>
  `https://github.com/${manifest.repository.replace('github:', '')}/blob/main/docs/${name}.md`

export const watchPath = ({ video_id }: { video_id: string }): string => `/watch/${encodeURIComponent(video_id)}`

/** The actions of forms about a video or its download begin with these paths. */
export const videoPath = (video_id: string): string => `/videos/${encodeURIComponent(video_id)}`
export const requestPath = (video_id: string): string => `/downloads/${encodeURIComponent(video_id)}`

/** The other places where a file on disk can be watched: players, televisions, other people. */
export const elsewherePath = (video: { video_id: string }): string => `${watchPath(video)}/elsewhere`

export const notifications_path = '/settings/notifications'
export const targetPath = ({ target_id }: { target_id: string }): string => `${notifications_path}/${target_id}`

export const links_path = '/settings/links'
export const media_path = '/settings/media'
export const media_servers_path = `${media_path}/servers`
export const serverPath = ({ server_id }: { server_id: string }): string => `${media_servers_path}/${server_id}`

/** The page that makes a podcast of what these parameters name. */
export const podcastPath = (of: Record<string, string>): string => pathWith('/podcasts/new', of)

type At = { t?: number | undefined; list?: string | undefined }
const withPlace = (path: string, { t, list }: At) => pathWith(path, { t: t?.toString(), list })

/** The page of a video, which plays as soon as it can. */
export const nowPath = (video: { video_id: string }, at: At = {}): string => {
  const path = withPlace(watchPath(video), at)
  return path.includes('?') ? path.replace('?', '?now&') : `${path}?now`
}

/** Where a video in a list leads: a file on disk plays at once, and the page of any other video begins with Watch now. */
export const playPath = (video: Pick<Download, 'video_id' | 'download_status'>, at: At = {}): string =>
  video.download_status === 'completed' ? nowPath(video, at) : withPlace(watchPath(video), at)

/** New without its remembered group, or with another one. The rest of the remembered filter stays. */
export const newPath = (group?: string): string => pathWith('/', { group, with: 'remembered' })
/** New without anything that was remembered. */
export const everything_path = '/?show=all'
export const watch_later_path = '/?later=true'

export const channelPath = ({ channel_id }: { channel_id: string }): string =>
  `/channels/${encodeURIComponent(channel_id)}`

/** The id of the place on the page of a channel that tells how far loading its older videos is. */
export const backfill_id = 'backfill'

/** The id of the choice of what to include of a channel that is followed. A link there opens what is around it. */
export const included_id = 'included'

/** A path of this site with those parameters that have a value. */
export function pathWith(path: string, parameters: Record<string, string | null | undefined>): string {
  const said = Object.entries(parameters).filter((entry): entry is [string, string] => Boolean(entry[1]))
  return said.length === 0 ? path : `${path}?${new URLSearchParams(said)}`
}

export const searches_path = '/searches'

export const savedSearchPath = ({ saved_search_id }: Pick<SavedSearch, 'saved_search_id'>): string =>
  `${searches_path}/${saved_search_id}`

/** The address of the results, without an order that is the usual one. */
export const searchPath = ({ q, sort }: SearchOf): string => pathWith('/search', { q, sort: sortOf(sort) })

/** The order as a parameter. */
export const sortOf = (sort: SearchOf['sort']) => (sort === 'relevance' ? undefined : sort)

/** Where a form puts a video on a list, or takes it off. */
export const listPath = ({ video_id }: { video_id: string }, list: MarkedList, is_on: boolean) =>
  `${videoPath(video_id)}/${list}${is_on ? '' : '/remove'}`

export const groups_path = '/groups'

/** What the fold of the column has beside a page. `here`: see `ColumnProps`. */
export const foldPath = (here?: string): string => pathWith(`${groups_path}/column`, { here })

/** The channels to be ticked for a group. */
export const tick_channels_path = `${groups_path}/tick`

export const groupPath = ({ group_id }: { group_id: string }): string => `${groups_path}/${group_id}`

export const playlists_path = '/playlists'

export const playlistPath = ({ playlist_id }: { playlist_id: string }): string => `${playlists_path}/${playlist_id}`

/** The playlists that one or several videos can be added to. */
export const choose_playlist_path = `${playlists_path}/choose`

export const history_path = '/history'

export const auto_download_path = '/channels/chosen/auto-download'

/** `page/search-suggestions.js` asks for suggestions there. */
export const suggestions_path = '/search/suggestions'

export const bin_path = '/bin'

export const admin_path = '/admin'
export const invitations_path = `${admin_path}/invitations`
export const log_path = `${admin_path}/log`
export const status_path = '/health'

export const personPath = ({ username }: { username: string }): string =>
  `${admin_path}/people/${encodeURIComponent(username)}`
