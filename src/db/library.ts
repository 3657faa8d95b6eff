/**
 * Everything one person may ask of the database: the only door to what is theirs, but for the account itself and its sessions. No method
 * takes an owner, because the library is made for one. The methods of each part are in its file.
 */
import type { SignIns } from '../runtime/sign-ins.ts'
import type { UserId } from '../schema/values/user.ts'
import { identitiesOf } from './account/identities.ts'
import { secretsOf } from './account/own-secrets.ts'
import { passkeysOf } from './account/passkeys.ts'
import { newPageOf, settingsOf } from './account/settings.ts'
import { binOf } from './bin/bin.ts'
import { backfillsOf } from './channels/backfills.ts'
import { channelsOf } from './channels/channels.ts'
import { groupsOf } from './channels/groups.ts'
import { downloadsOf } from './downloads/downloads.ts'
import { scopesOf } from './downloads/scopes.ts'
import { siteCookiesOf } from './downloads/site-cookies.ts'
import { soundsOf } from './downloads/sounds.ts'
import { spaceOf } from './downloads/space.ts'
import { archivePagesOf } from './imports/archive-pages.ts'
import { importsOf } from './imports/imports.ts'
import { mediaOf } from './media/media.ts'
import { mediaServersOf } from './media/media-servers.ts'
import { messagesOf } from './notifications/messages.ts'
import { outboxOf } from './notifications/outbox.ts'
import { targetsOf } from './notifications/targets.ts'
import { podcastsOf } from './podcasts/podcasts.ts'
import type { Sql } from './postgres/client.ts'
import { rulesOf } from './rules/rules.ts'
import { savedSearchesOf } from './search/saved-searches.ts'
import { searchOf } from './search/search.ts'
import { transcriptsOf } from './search/transcripts.ts'
import { addedVideosOf } from './videos/added-videos.ts'
import { picturesOf } from './videos/missing-pictures.ts'
import { videosOf } from './videos/videos.ts'
import { playlistsOf } from './watching/playlists.ts'
import { viewingsOf } from './watching/viewings.ts'
import { watchedOf } from './watching/watch-history.ts'

/** Each is made by a function of the connection, the person, and the limits of their library. */
const parts = {
  /** The followed channels: list, find, save what their feeds say, unfollow. */
  channels: channelsOf,
  /** The groups of channels. */
  groups: groupsOf,
  /** What has happened and is in no message yet. */
  outbox: outboxOf,
  /** The messages to the person's targets. */
  messages: messagesOf,
  /** Reading: lists of videos, one video, the states of downloads, the shelves, the hosts that fail. */
  videos: videosOf,
  /** The videos that the person added by their address. */
  added: addedVideosOf,
  /** Searching videos and channels. */
  search: (sql: Sql, user_id: UserId) => searchOf(sql, user_id),
  /** The searches that the person saved. */
  searches: savedSearchesOf,
  /** What is said in videos. */
  transcripts: transcriptsOf,
  /** Every move of a download: request, start, heartbeat, finish, fail, hand back, cancel, delete the file. */
  downloads: downloadsOf,
  /** Many videos at once, to download them. */
  scopes: scopesOf,
  /** The sound that is cut out of films for podcasts. */
  sounds: soundsOf,
  /** The cookies for sites that show a video only to people who are signed in there. */
  cookies: siteCookiesOf,
  /** What takes the space of the files. */
  space: spaceOf,
  /** What downloads automatically, and how long it stays. */
  rules: rulesOf,
  /** What was watched, and how far. */
  viewings: viewingsOf,
  /** The history: what was watched, the last one first. */
  watched: watchedOf,
  /** The lists that the person named and ordered. */
  playlists: playlistsOf,
  /** The podcasts of videos on disk. */
  podcasts: podcastsOf,
  /** The identities of the person at a provider or a proxy. */
  identities: identitiesOf,
  /** The passkeys of the person. */
  passkeys: passkeysOf,
  /** The API tokens, and the links that open a video without a sign-in. */
  secrets: secretsOf,
  /** The pictures that a page still misses. */
  pictures: picturesOf,
  /** The quality of downloads, the player, and captions. */
  settings: settingsOf,
  /** What the page New remembers. */
  new_page: newPageOf,
  /** The targets of the person's notifications. */
  targets: targetsOf,
  /** Lists of channels that are worked through line by line. */
  imports: importsOf,
  /** Loading the older videos of channels. */
  backfills: backfillsOf,
  /** The tree in MEDIA_DIR. */
  media: mediaOf,
  /** The media servers that read this tree. */
  servers: mediaServersOf,
  /** Everything that the person has, page by page, for the export. */
  archive: archivePagesOf,
  /** Deleted files and unfollowed channels. */
  bin: binOf,
}

export type Library = { readonly user_id: UserId } & {
  readonly [Part in keyof typeof parts]: ReturnType<(typeof parts)[Part]>
}

/**
 * `sign_ins`: forgets the sign-ins that end here.
 * Each part is made when it is first used, because most requests use one or two parts.
 */
export function libraryOf(sql: Sql, user_id: UserId, sign_ins?: SignIns): Library {
  const library = { user_id }
  for (const [name, partOf] of Object.entries(parts)) {
    let part: unknown
    const get = () => {
      part ??= partOf(sql, user_id, sign_ins)
      return part
    }
    Object.defineProperty(library, name, { enumerable: true, get })
  }
  return library as Library
}
