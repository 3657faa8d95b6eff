/** The playlist of an arriving video as browsers get it. */
import { expect, it } from 'vitest'
import { playlistForPlayers } from '../../../src/routes/watching/arriving.ts'

const of_ffmpeg = `#EXTM3U
#EXT-X-VERSION:7
#EXT-X-TARGETDURATION:2
#EXT-X-PLAYLIST-TYPE:EVENT
#EXT-X-MAP:URI="init.mp4"
#EXTINF:2.000000,
0.m4s
#EXT-X-ENDLIST
`

it('names its parts below the stream, starts at the start, and never ends', () => {
  expect(playlistForPlayers({ folder: 'claim.1', playlist: of_ffmpeg, duration_s: 12.5 })).toBe(`#EXTM3U
#EXT-X-START:TIME-OFFSET=0
#EXT-X-BACKLOT-DURATION:12.5
#EXT-X-VERSION:7
#EXT-X-TARGETDURATION:2
#EXT-X-PLAYLIST-TYPE:EVENT
#EXT-X-MAP:URI="arriving/claim.1/init.mp4"
#EXTINF:2.000000,
arriving/claim.1/0.m4s
`)
})

it('an unknown duration is left out', () => {
  expect(playlistForPlayers({ folder: 'claim.1', playlist: of_ffmpeg, duration_s: null })).not.toContain('DURATION:12')
})
