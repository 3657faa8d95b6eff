/** Opens a media server by its kind. Nothing is asked until one of its functions is called. */
import { kind_names, type MediaServer } from '../schema/media/media-server.ts'
import { jellyfinHeader, jellyfinServer } from './jellyfin.ts'
import { plexHeaders, plexServer } from './plex.ts'
import { type Asker, askerOf, type Server } from './server.ts'

/** `username`: of the person here. */
export type Opened = Pick<MediaServer, 'kind' | 'address' | 'person'> & { key: string; username: string }
export type ServerOpener = (opened: Opened, signal?: AbortSignal) => Server

export const serverOpener =
  (asker: Asker): ServerOpener =>
  ({ kind, address: entered, key, ...whose }, signal) => {
    // Our paths of Emby begin with it, too.
    const address = kind === 'emby' ? entered.replace(/\/emby$/i, '') : entered
    const askWith = (headers: Record<string, string>) =>
      askerOf(asker, { address, name: kind_names[kind] }, headers, signal)
    if (kind === 'plex') return plexServer(askWith(plexHeaders(key)))
    return jellyfinServer(kind, askWith(jellyfinHeader(kind, key)), whose)
  }
