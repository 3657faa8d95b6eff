/** Plans how a downloaded file becomes an MP4 or M4A that a browser plays from its first bytes. `playable.ts` carries it out. */
import { open } from 'node:fs/promises'
import { cut } from '../../schema/values/stored.ts'
import { max_threads } from '../process/programs.ts'
import type { Probe, Stream } from './ffmpeg.ts'

/**
 * `index_last`: complete, and its index is behind its data, which a player reads by a second request. `cut_off`: the file ends before
 * its data does.
 */
export type Layout = 'starts_fast' | 'index_last' | 'cut_off' | 'other'

/**
 * The plan of a conversion. `args`: the arguments between ffmpeg's input and output. `without_zscale`: those for an ffmpeg that lacks the
 * filter `zscale`. `keep`: the file needs no change.
 */
export type Conversion =
  | { kind: 'keep' }
  | { kind: 'remux' | 'transcode'; args: string[]; without_zscale?: string[] }
  | { kind: 'no_video' }
  | { kind: 'no_sound' }

/**
 * HEVC is kept although not every browser plays it, because converting it would cost hours and quality. Safari plays it under the name
 * `hvc1` only. The name of Dolby (`dvh1`) cannot be used: ffmpeg 5.1 does not write it into an MP4.
 */
const playable_codecs = { video: ['h264', 'hevc', 'av1', 'vp9'], audio: ['aac', 'mp3', 'opus', 'flac'] }

/** Sound of another codec than these becomes AAC. */
const elseAac = (codecs: string[]): SoundKind => ({
  fits: ({ codec_name }) => codecs.includes(codec_name),
  encoder: (_, n) => ['aac', `-b:a:${n}`, '160k'],
})

export function mp4PlanOf({ streams, format }: Probe, layout: Layout): Conversion {
  const video = streams.find(isPicture)
  if (!video) return { kind: 'no_video' }
  const plays = playable_codecs.video.includes(video.codec_name) && !isRareH264(video)
  const sounds = planSounds(streams, elseAac(playable_codecs.audio))
  const is_tagged = video.codec_name !== 'hevc' || video.codec_tag_string === 'hvc1'
  if (plays && is_tagged && sounds.unchanged && format.format_name.includes('mp4') && layout === 'starts_fast')
    return { kind: 'keep' }
  const args = [
    ...['-map', `0:${video.index}`, ...sounds.args, ...only_streams],
    ...(plays
      ? ['-c:v', 'copy', ...(video.codec_name === 'hevc' ? ['-tag:v', 'hvc1'] : [])]
      : [...x264, ...even_sides]),
    ...['-movflags', '+faststart', '-f', 'mp4'],
  ]
  return { kind: plays && sounds.none_encoded ? 'remux' : 'transcode', args }
}

/** The plan for a sound file, which is kept as M4A. */
export function m4aPlanOf({ streams, format }: Probe, layout: Layout): Conversion {
  const sounds = planSounds(streams, elseAac(['aac', 'alac']))
  if (sounds.count === 0) return { kind: 'no_sound' }
  const is_alone = streams.length === sounds.count
  if (sounds.unchanged && is_alone && format.format_name.includes('m4a') && layout === 'starts_fast')
    return { kind: 'keep' }
  const args = [...sounds.args, ...only_streams, '-vn', '-movflags', '+faststart', '-f', 'ipod']
  return { kind: sounds.none_encoded ? 'remux' : 'transcode', args }
}

/** Whether a stream is the picture of a video, and not a cover. */
export const isPicture = ({ codec_type, disposition }: Stream): boolean =>
  codec_type === 'video' && !disposition?.attached_pic

/** HDR10 and Dolby Vision, and HLG. */
export const isHdr = ({ color_transfer }: Stream): boolean => hdr_transfers.has(color_transfer ?? '')
const hdr_transfers = new Set(['smpte2084', 'arib-std-b67'])

/** The languages and names of streams stay. */
export const only_streams = ['-map_metadata:g', '-1', '-dn', '-sn']

/** No file has more languages. */
export const max_sounds = 32

export const isSound = ({ codec_type }: Stream) => codec_type === 'audio'

/** The sounds of a file, the default one first. */
export const soundsOf = (streams: Stream[]): Stream[] =>
  streams
    .filter(isSound)
    .toSorted((one, other) => (other.disposition?.default ?? 0) - (one.disposition?.default ?? 0))
    .slice(0, max_sounds)

/** The sound that players play, and the only one in browsers. */
export const playedSound = (streams: Stream[]): Stream | undefined => soundsOf(streams)[0]

/** `fits`: whether a sound is kept as it is. `encoder`: the arguments that encode a sound which does not fit, by its number in the file. */
type SoundKind = { fits(sound: Stream): boolean; encoder(sound: Stream, n: number): string[] }

/**
 * Every sound, the default one first: browsers play the first and offer no other. `none_encoded`: each is copied. `unchanged`: the
 * order stays, too.
 */
export function planSounds(streams: Stream[], { fits, encoder }: SoundKind) {
  const all = streams.filter(isSound)
  const sounds = soundsOf(streams)
  const none_encoded = sounds.every(fits)
  return {
    count: all.length,
    none_encoded,
    unchanged: none_encoded && sounds[0] === all[0],
    args: [
      ...sounds.flatMap(({ index }) => ['-map', `0:${index}`]),
      ...sounds.flatMap((sound, n) => [`-c:a:${n}`, ...(fits(sound) ? ['copy'] : encoder(sound, n))]),
      ...sounds.flatMap((sound, n) => nameArguments(titleOf(sound), n)),
      ...(sounds.length > 1 ? ['-disposition:a', '0', '-disposition:a:0', 'default'] : []),
    ],
  }
}

/** Programs read a name here. ffmpeg 5.1 writes `title` into an MP4, but does not read it. */
const nameArguments = (title: string | undefined, n: number): string[] =>
  title === undefined ? [] : [`-metadata:s:a:${n}`, `handler_name=${title}`]

/** The name of a sound; `undefined`: it has none. Neither Postgres nor an argument holds null characters. */
export function titleOf({ tags }: Stream): string | undefined {
  const text = tags.get('title') || tags.get('handler_name') || ''
  const title = cut(text.replace(/\p{Cc}+/gu, ' ').trim(), 100)
  return title === '' || given_names.test(title) ? undefined : title
}

/** What programs write as `handler_name` of every sound: "SoundHandler", "Core Media Audio", "ISO Media file produced by Google Inc." */
const given_names = /handle|core media|iso ?media|google|gpac|l-smash|^(soun|sound|audio|track)?[\s\d]*$/i

/** Browsers play 10-bit, 4:2:2 and 4:4:4 as VP9, AV1 and HEVC, but hardly ever as H.264. */
const isRareH264 = ({ codec_name, pix_fmt }: Stream) =>
  codec_name === 'h264' && pix_fmt !== undefined && !/^yuvj?420p$/.test(pix_fmt)

export const x264 = [
  ...['-c:v', 'libx264', '-threads', String(max_threads)],
  ...['-preset', 'veryfast', '-crf', '21', '-pix_fmt', 'yuv420p'],
]
/** 4:2:0 needs even sides, because it stores half as many colours as pixels in each direction. */
const even_sides = ['-vf', 'scale=trunc(iw/2)*2:trunc(ih/2)*2']

/** `starts_fast`: its index (`moov`) is before its data, and it has no fragments (`moof`). */
export async function layoutOf(file: string | Buffer): Promise<Layout> {
  const seen = new Set<string>()
  let layout: Layout = 'other'
  for await (const { type, is_whole } of boxesIn(file)) {
    if (seen.size === 0 && !first_boxes.has(type)) return 'other'
    if (!is_whole && data_boxes.has(type)) return 'cut_off'
    if (type === 'mdat' && seen.has('moov') && !seen.has('mdat') && !seen.has('moof')) layout = 'starts_fast'
    if (type === 'moov' && seen.has('mdat')) layout = 'index_last'
    seen.add(type)
  }
  return seen.has('moof') || seen.has('sidx') ? 'other' : layout
}

const first_boxes = new Set(['ftyp', 'styp', 'moov', 'mdat', 'free', 'skip', 'wide', 'pnot'])
/** Some encoders leave an empty box of another type at the end, with a length that is wrong. */
const data_boxes = new Set(['moov', 'moof', 'mdat'])
/** A film of ten hours in fragments of a second has two boxes for each. */
const max_boxes = 100_000

/** The boxes at the top level of an MP4. `is_whole`: the file does not end within the box. */
async function* boxesIn(file: string | Buffer): AsyncGenerator<{ type: string; is_whole: boolean }> {
  const handle = await open(file)
  try {
    const { size } = await handle.stat()
    const head = Buffer.alloc(16)
    for (let at = 0, boxes = 0; at + 8 <= size && boxes < max_boxes; boxes++) {
      await handle.read(head, 0, 16, at)
      const short = head.readUInt32BE(0)
      // 0: until the end of the file.
      const length = short === 1 ? Number(head.readBigUInt64BE(8)) : short || size - at
      if (length < 8) return
      at += length
      yield { type: head.toString('latin1', 4, 8), is_whole: at <= size }
    }
  } finally {
    await handle.close()
  }
}
