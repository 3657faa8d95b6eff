/** The playlist of an arriving video, made from the one that ffmpeg writes. Pure. */
import type { ArrivingPlaylist } from '../../domain/downloads/arriving.ts'

/**
 * `duration_s` becomes a tag of our own, which players ignore that do not know it. The tag of the end is left out: ffmpeg also writes it
 * when it is stopped early, and at the end the finished file is played.
 */
export function shownPlaylist({ folder, playlist, duration_s }: ArrivingPlaylist): string {
  const lines = playlist.split('\n').flatMap(line => {
    if (line === '#EXT-X-ENDLIST') return []
    if (line.startsWith('#EXT-X-MAP:')) return [`#EXT-X-MAP:URI="${pathOf(folder, 'init.mp4')}"`]
    return [line.startsWith('#') || line === '' ? line : pathOf(folder, line)]
  })
  // From the start, not from what arrived last.
  const own = ['#EXT-X-START:TIME-OFFSET=0', ...(duration_s === null ? [] : [`#EXT-X-BACKLOT-DURATION:${duration_s}`])]
  return [lines[0], ...own, ...lines.slice(1)].join('\n')
}

const pathOf = (folder: string, name: string) => `arriving/${folder}/${name}`
