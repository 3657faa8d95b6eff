/** Files that every device plays, of sites that offer many codecs and sizes, with the real yt-dlp and ffmpeg. */
import { expect, it } from 'vitest'
import { compatiblePlanOf } from '../../../src/ytdlp/convert/compatible-plan.ts'
import { probeFile } from '../../../src/ytdlp/convert/ffmpeg.ts'
import { layoutOf } from '../../../src/ytdlp/convert/mp4-plan.ts'
import { useDownloads } from '../../support/media/downloads.ts'
import { toolsForTests } from '../../support/process/tools.ts'
import { newFolder } from '../../support/run/new-folder.ts'

const site = useDownloads()

/** A small film for each codec. The manifest says which size it has. */
const films = {
  h264: { file: 'fits.mp4', codecs: 'avc1.64001e' },
  vp9: { file: 'odd-sides.webm', codecs: 'vp09.00.10.08' },
  av1: { file: 'av1.mp4', codecs: 'av01.0.00M.08' },
  hevc: { file: 'hevc-pq.mp4', codecs: 'hvc1.2.4.L60.90' },
}
type Offer = `${keyof typeof films} ${number}x${number}`

const manifestOf = (offers: Offer[]) => `<?xml version="1.0"?>
<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" profiles="urn:mpeg:dash:profile:isoff-on-demand:2011" type="static"
  mediaPresentationDuration="PT1S"><Period>${offers.map(representation).join('')}${sound}</Period></MPD>`

const sound = `<AdaptationSet mimeType="audio/mp4" contentType="audio"><Representation id="sound" bandwidth="64000"
  codecs="mp4a.40.2"><BaseURL>/odd/sound.m4a</BaseURL></Representation></AdaptationSet>`

function representation(offer: Offer): string {
  const [codec = 'h264', size = ''] = offer.split(' ') as [keyof typeof films, string]
  const [width, height] = size.split('x')
  const { file, codecs } = films[codec]
  const type = file.endsWith('.webm') ? 'video/webm' : 'video/mp4'
  return `<AdaptationSet mimeType="${type}" contentType="video"><Representation id="${codec}-${size}" bandwidth="100000"
    codecs="${codecs}" width="${width}" height="${height}"><BaseURL>/odd/${file}?${codec}-${size}</BaseURL></Representation></AdaptationSet>`
}

it.each<[Offer, Offer[]]>([
  ['h264 1920x1080', ['vp9 1920x1080', 'h264 1920x1080', 'av1 1920x1080', 'h264 3840x2160', 'vp9 3840x2160']],
  // Smaller, but as it is.
  ['h264 1280x720', ['h264 1280x720', 'vp9 1920x1080', 'hevc 3840x2160']],
  ['h264 720x1280', ['h264 720x1280', 'vp9 1080x1920']],
  // So small that the larger one is worth its conversion.
  ['vp9 1920x1080', ['h264 640x360', 'vp9 1920x1080', 'vp9 3840x2160']],
  ['vp9 1920x1080', ['vp9 3840x2160', 'vp9 1920x1080', 'vp9 1280x720']],
  ['h264 2560x1440', ['h264 2560x1440', 'h264 3840x2160', 'vp9 2560x1440']],
  ['av1 3840x2160', ['av1 3840x2160']],
  ['hevc 640x360', ['hevc 640x360']],
])('takes %s of %s, and makes a file that fits', async (chosen, offers) => {
  const path = `/${offers.join('-').replaceAll(' ', '-')}.mpd`
  site.media.publish(path, manifestOf(offers), 'application/dash+xml')
  site.media.requests.length = 0

  const { file } = await site.fetched(path, 'compatible')

  const asked = site.media.requests.flatMap(({ search }) => (search.includes('x') ? [search] : []))
  expect([...new Set(asked)]).toEqual([`?${chosen.replace(' ', '-')}`])
  const folder = newFolder()
  const probe = await probeFile(toolsForTests(), { file, folder, signal: new AbortController().signal })
  expect(probe && compatiblePlanOf(probe, await layoutOf(file))).toEqual({ kind: 'keep' })
})
