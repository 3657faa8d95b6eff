/**
 * Writes a playlist as an M3U file in UTF-8, with paths relative to its folder. Pure.
 *
 * Sources: Kodi's PlayListM3U.cpp (lines of at most 1,023 bytes; a line that begins with # is a comment), VLC's m3u.c (UTF-8 also in .m3u;
 * " - " ends the artist), Jellyfin's PlaylistResolver.cs (playlists are read in libraries of music only).
 */
import type { PlaylistEntry } from '../../db/media/media-playlists.ts'
import { withoutBidiControls } from '../../schema/values/direction.ts'
import { withFolders } from './video-paths.ts'

export const m3u_extension = '.m3u'

/** With these lines a file is ours. */
export const m3u_start = '#EXTM3U\n# Backlot writes this file.\n'

export const m3uOf = (entries: PlaylistEntry[]): string => m3u_start + entries.map(linesOf).join('')

function linesOf({ folders, name, extension, title, duration_seconds }: PlaylistEntry): string {
  const words = withoutBidiControls(title)
    .slice(0, 200)
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .replaceAll(' - ', ' – ')
    .trim()
  const seconds = duration_seconds === null ? -1 : Math.round(duration_seconds)
  return `#EXTINF:${seconds},${words}\n./${withFolders(folders, name)}.${extension}\n`
}
