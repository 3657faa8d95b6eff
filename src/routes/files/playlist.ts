/** The playlist of an arriving video, made from the one that ffmpeg writes. Pure. */
import type { ArrivingPlaylist } from '../../domain/downloads/arriving.ts'

/**
 * `duration_s` becomes a tag of our own, which players ignore that do not know it. The end is left out: ffmpeg also writes it when its
 * worker died, and the last part may then be cut off within a picture. After a complete download, the finished file is played.
 */
export function shownPlaylist({ folder, playlist, duration_s }: ArrivingPlaylist): string {
  const lines = playlist
    .replace(/#EXTINF:.*\n.*\n#EXT-X-ENDLIST\n/, '')
    .split('\n')
    .map(line => {
      if (line.startsWith('#EXT-X-MAP:')) return `#EXT-X-MAP:URI="${pathOf(folder, 'init.mp4')}"`
      return line.startsWith('#') || line === '' ? line : pathOf(folder, line)
    })
  // From the start, not from what arrived last.
  const own = ['#EXT-X-START:TIME-OFFSET=0', ...(duration_s === null ? [] : [`#EXT-X-BACKLOT-DURATION:${duration_s}`])]
  return [lines[0], ...own, ...lines.slice(1)].join('\n')
}

const pathOf = (folder: string, name: string) => `arriving/${folder}/${name}`
