/** Plans how a downloaded file becomes an MP4 or M4A that a browser plays from its first bytes. `playable.ts` carries it out. */
import { open } from 'node:fs/promises'
import type { Probe, Stream } from './probe-file.ts'

/** `index_last`: complete, and its index is behind its data, which a player reads by a second request. */
export type Layout = 'starts_fast' | 'index_last' | 'other'

/** `args`: the arguments between ffmpeg's input and output. `keep`: the file needs no change. */
export type Plan =
  | { kind: 'keep' }
  | { kind: 'remux' | 'transcode'; args: string[] }
  | { kind: 'no_video' }
  | { kind: 'no_sound' }

/** HEVC is kept although not every browser plays it, because converting it would cost hours and quality. */
const playable_codecs = { video: ['h264', 'hevc', 'av1', 'vp9'], audio: ['aac', 'mp3', 'opus', 'flac'] }

export function planOf({ streams, format }: Probe, layout: Layout): Plan {
  const video = streams.find(({ codec_type, disposition }) => codec_type === 'video' && !disposition?.attached_pic)
  if (!video) return { kind: 'no_video' }
  const audio = streams.find(({ codec_type }) => codec_type === 'audio')
  const plays = playable_codecs.video.includes(video.codec_name) && !isRareH264(video)
  const sounds = !audio || playable_codecs.audio.includes(audio.codec_name)
  if (plays && sounds && format.format_name.includes('mp4') && layout === 'starts_fast') return { kind: 'keep' }
  const args = [
    ...[
      '-map',
      `0:${video.index}`,
      ...(audio ? ['-map', `0:${audio.index}`] : []),
      '-map_metadata',
      '-1',
      '-dn',
      '-sn',
    ],
    ...(plays ? ['-c:v', 'copy', ...(video.codec_name === 'hevc' ? ['-tag:v', 'hvc1'] : [])] : x264),
    ...(sounds ? ['-c:a', 'copy'] : ['-c:a', 'aac', '-b:a', '160k']),
    ...['-movflags', '+faststart', '-f', 'mp4'],
  ]
  return { kind: plays && sounds ? 'remux' : 'transcode', args }
}

/** The same for audio, which is kept as M4A. */
export function soundPlanOf({ streams, format }: Probe, layout: Layout): Plan {
  const audio = streams.find(({ codec_type }) => codec_type === 'audio')
  if (!audio) return { kind: 'no_sound' }
  const fits = ['aac', 'alac'].includes(audio.codec_name)
  const is_alone = streams.length === 1
  if (fits && is_alone && format.format_name.includes('m4a') && layout === 'starts_fast') return { kind: 'keep' }
  const args = [
    ...['-map', `0:${audio.index}`, '-map_metadata', '-1', '-vn', '-dn', '-sn'],
    ...['-c:a', ...(fits ? ['copy'] : ['aac', '-b:a', '160k'])],
    ...['-movflags', '+faststart', '-f', 'ipod'],
  ]
  return { kind: fits ? 'remux' : 'transcode', args }
}

/** Browsers play 10-bit, 4:2:2 and 4:4:4 as VP9, AV1 and HEVC, but hardly ever as H.264. */
const isRareH264 = ({ codec_name, pix_fmt }: Stream) =>
  codec_name === 'h264' && pix_fmt !== undefined && !/^yuvj?420p$/.test(pix_fmt)

/** 4:2:0 needs even sides, because it stores half as many colours as pixels in each direction. */
const x264 = [
  ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '21', '-pix_fmt', 'yuv420p'],
  ...['-vf', 'scale=trunc(iw/2)*2:trunc(ih/2)*2'],
]

/** Reads the top-level boxes of an MP4. `starts_fast`: its index (`moov`) is before its data, and it has no fragments (`moof`). */
export async function layoutOf(file: string | Buffer): Promise<Layout> {
  const handle = await open(file)
  try {
    const { size } = await handle.stat()
    const head = Buffer.alloc(16)
    let seen_index = false
    let seen_data = false
    for (let at = 0, boxes = 0; at + 8 <= size && boxes < 100; boxes++) {
      await handle.read(head, 0, 16, at)
      const type = head.toString('latin1', 4, 8)
      if (type === 'moof' || type === 'sidx') return 'other'
      if (type === 'mdat' && seen_index) return 'starts_fast'
      if (type === 'moov' && seen_data) return 'index_last'
      seen_index ||= type === 'moov'
      seen_data ||= type === 'mdat'
      const short = head.readUInt32BE(0)
      const length = short === 1 ? Number(head.readBigUInt64BE(8)) : short
      if (length < 8) return 'other'
      at += length
    }
    return 'other'
  } finally {
    await handle.close()
  }
}
