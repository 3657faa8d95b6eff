/**
 * Everything one person may ask of the database: the only door to channels and videos. No method takes an owner, because the
 * library is made for one. The methods of each part are declared at the head of its file.
 */
import type { UserId } from '../schema/values/user.ts'
import { newFilterOf, type OwnSettings, type RememberedFilter, settingsOf } from './account/settings.ts'
import { type Bin, binOf } from './bin/bin.ts'
import { type Backfills, backfillsOf } from './channels/backfills.ts'
import { type Channels, channelsOf } from './channels/channels.ts'
import { type Groups, groupsOf } from './channels/groups.ts'
import { type Downloads, downloadsOf } from './downloads/downloads.ts'
import { type Scopes, scopesOf } from './downloads/scopes.ts'
import { type Space, spaceOf } from './downloads/space.ts'
import { type ArchivePages, archivePagesOf } from './imports/archive-pages.ts'
import { type Imports, importsOf } from './imports/imports.ts'
import { type Media, mediaOf } from './media/media.ts'
import type { Sql } from './postgres/client.ts'
import { type Rules, rulesOf } from './rules/rules.ts'
import { type SavedSearches, savedSearchesOf } from './search/saved-searches.ts'
import { type Search, searchOf } from './search/search.ts'
import { type Transcripts, transcriptsOf } from './search/transcripts.ts'
import { type AddedVideos, addedVideosOf } from './videos/added-videos.ts'
import { type Pictures, picturesOf } from './videos/pictures.ts'
import { type Videos, videosOf } from './videos/videos.ts'
import { type Viewings, viewingsOf } from './watching/viewings.ts'

export interface Library {
  readonly user_id: UserId
  /** The followed channels: list, find, save what their feeds say, unfollow. */
  readonly channels: Channels
  /** The groups of channels. */
  readonly groups: Groups
  /** Reading: a history, one video, the states of downloads, the shelves, the hosts that fail. */
  readonly videos: Videos
  /** The videos that the person added by their address. */
  readonly added: AddedVideos
  /** Searching videos and channels. */
  readonly search: Search
  /** The searches that the person saved. */
  readonly searches: SavedSearches
  /** What is said in videos. */
  readonly transcripts: Transcripts
  /** Every move of a download: request, start, heartbeat, finish, fail, hand back, cancel, lose the file. */
  readonly downloads: Downloads
  /** Many videos at once, to download them. */
  readonly scopes: Scopes
  /** What takes the space of the files. */
  readonly space: Space
  /** What downloads automatically, and how long it stays. */
  readonly rules: Rules
  /** What was watched and how far; when the person last looked at what is new. */
  readonly viewings: Viewings
  /** The pictures that a page still misses. */
  readonly pictures: Pictures
  /** The quality of downloads. */
  readonly settings: OwnSettings
  /** What the page New shows. */
  readonly new_filter: RememberedFilter
  /** Lists of channels that are worked through line by line. */
  readonly imports: Imports
  /** Loading the older videos of channels. */
  readonly backfills: Backfills
  /** The tree in MEDIA_DIR. */
  readonly media: Media
  /** Everything that the person has, page by page, for the export. */
  readonly archive: ArchivePages
  /** Deleted files and unfollowed channels. */
  readonly bin: Bin
}

/**
 * How many channels a person may follow, and how many videos are kept of all of them; 0: any number. Each part is made when it is
 * first used, because every request makes a library and uses one or two parts of it.
 */
export function libraryOf(sql: Sql, user_id: UserId, max_channels = 0, max_videos = 0): Library {
  const made: { -readonly [Part in keyof Library]?: Library[Part] } = {}
  return {
    user_id,
    get channels() {
      made.channels ??= channelsOf(sql, user_id, { max_channels, max_videos })
      return made.channels
    },
    get groups() {
      made.groups ??= groupsOf(sql, user_id)
      return made.groups
    },
    get videos() {
      made.videos ??= videosOf(sql, user_id)
      return made.videos
    },
    get added() {
      made.added ??= addedVideosOf(sql, user_id)
      return made.added
    },
    get search() {
      made.search ??= searchOf(sql, user_id)
      return made.search
    },
    get searches() {
      made.searches ??= savedSearchesOf(sql, user_id)
      return made.searches
    },
    get transcripts() {
      made.transcripts ??= transcriptsOf(sql, user_id)
      return made.transcripts
    },
    get downloads() {
      made.downloads ??= downloadsOf(sql, user_id)
      return made.downloads
    },
    get scopes() {
      made.scopes ??= scopesOf(sql, user_id)
      return made.scopes
    },
    get space() {
      made.space ??= spaceOf(sql, user_id)
      return made.space
    },
    get rules() {
      made.rules ??= rulesOf(sql, user_id)
      return made.rules
    },
    get viewings() {
      made.viewings ??= viewingsOf(sql, user_id)
      return made.viewings
    },
    get pictures() {
      made.pictures ??= picturesOf(sql, user_id)
      return made.pictures
    },
    get settings() {
      made.settings ??= settingsOf(sql, user_id)
      return made.settings
    },
    get new_filter() {
      made.new_filter ??= newFilterOf(sql, user_id)
      return made.new_filter
    },
    get imports() {
      made.imports ??= importsOf(sql, user_id, { max_channels, max_videos })
      return made.imports
    },
    get backfills() {
      made.backfills ??= backfillsOf(sql, user_id, { max_channels, max_videos })
      return made.backfills
    },
    get media() {
      made.media ??= mediaOf(sql, user_id)
      return made.media
    },
    get archive() {
      made.archive ??= archivePagesOf(sql, user_id)
      return made.archive
    },
    get bin() {
      made.bin ??= binOf(sql, user_id, { max_channels, max_videos })
      return made.bin
    },
  }
}
