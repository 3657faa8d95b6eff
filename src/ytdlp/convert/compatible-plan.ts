/**
 * Plans how a downloaded file becomes an MP4 that every phone and television plays: H.264 of 8 bits within 1920 × 1080, upright or lying,
 * at most 60 pictures a second, with AAC in stereo. A file that is like this already is kept.
 *
 * Makers name these limits: Apple TV HD, "Technical Specifications" (1080p, 60 fps, level 4.2; AAC-LC of 48 kHz in stereo, and HE-AAC);
 * Google, "Supported Media for Google Cast" (level 4.2 since the third Chromecast, AAC-LC and HE-AAC); Samsung, "2018 TV Video
 * Specifications" (1080p, 60 fps, AAC and HE-AAC).
 */
import type { Probe, Stream } from './ffmpeg.ts'
import { type Conversion, isHdr, isPicture, type Layout, only_streams, planSounds, x264 } from './mp4-plan.ts'

const longest_side = 1920
const shortest_side = 1080
const max_rate = 60
/** Level 4.2, as ffprobe writes it. */
const max_level = 42
const max_sample_rate = 48_000

export function compatiblePlanOf({ streams, format }: Probe, layout: Layout): Conversion {
  const video = streams.find(isPicture)
  if (!video) return { kind: 'no_video' }
  const plays = fitsEverywhere(video)
  const sounds = planSounds(streams, { fits: isPlainAac, encoder: aac })
  const is_tagged = video.codec_tag_string === 'avc1'
  if (plays && is_tagged && sounds.unchanged && format.format_name.includes('mp4') && layout === 'starts_fast')
    return { kind: 'keep' }
  const argumentsWith = (picture: string[]) => [
    ...['-map', `0:${video.index}`, ...sounds.args, ...only_streams, ...picture],
    ...['-movflags', '+faststart', '-f', 'mp4'],
  ]
  if (plays)
    return {
      kind: sounds.none_encoded ? 'remux' : 'transcode',
      args: argumentsWith(['-c:v', 'copy', '-tag:v', 'avc1']),
    }
  const args = argumentsWith(encoded(video, toneMapped(video)))
  return { kind: 'transcode', args, without_zscale: argumentsWith(encoded(video, [])) }
}

/** Televisions do not turn a picture by the tag of its file, and phones do not join interlaced fields well. */
const fitsEverywhere = (video: Stream): boolean =>
  video.codec_name === 'h264' &&
  profiles.has(video.profile ?? '') &&
  /^yuvj?420p$/.test(video.pix_fmt ?? '') &&
  isWithin(video.level, max_level) &&
  isWithin(Math.max(video.width ?? Number.NaN, video.height ?? Number.NaN), longest_side) &&
  isWithin(Math.min(video.width ?? Number.NaN, video.height ?? Number.NaN), shortest_side) &&
  rateOf(video) <= max_rate + tolerance &&
  !isHdr(video) &&
  !isInterlaced(video) &&
  !isTurned(video)

const profiles = new Set(['Baseline', 'Constrained Baseline', 'Main', 'High'])

const isWithin = (figure: number | undefined, most: number) => figure !== undefined && figure > 0 && figure <= most

/** Pictures per second; 0: unknown, as with a film of one picture. */
const rateOf = ({ avg_frame_rate }: Stream) => avg_frame_rate ?? 0
/** A film of 60 pictures a second may have one more than its length allows. */
const tolerance = 1

const isInterlaced = ({ field_order }: Stream) => /^(tt|bb|tb|bt)$/.test(field_order ?? '')

const isTurned = ({ side_data_list = [] }: Stream) => side_data_list.some(({ rotation }) => (rotation ?? 0) % 360 !== 0)

/** AAC-LC and HE-AAC. More channels than two play on most televisions, but Apple names stereo, and one file has to play everywhere. */
const isPlainAac = ({ codec_name, profile, channels, sample_rate }: Stream): boolean =>
  codec_name === 'aac' &&
  /^(LC|HE-AAC)$/.test(profile ?? '') &&
  isWithin(channels, 2) &&
  isWithin(sample_rate, max_sample_rate)

const aac = (sound: Stream, n: number): string[] => [
  ...['aac', `-b:a:${n}`, '160k'],
  ...((sound.channels ?? 0) > 2 ? [`-ac:a:${n}`, '2'] : []),
  ...((sound.sample_rate ?? 0) > max_sample_rate ? [`-ar:a:${n}`, String(max_sample_rate)] : []),
]

function encoded(video: Stream, tones: string[]): string[] {
  // ffmpeg writes a constant rate, which is 1,000 pictures a second for some recordings of screens and phones.
  const rate = Math.max(rateOf(video), video.r_frame_rate ?? 0)
  const is_fast = rate > max_rate + tolerance
  const filters = [
    ...(isInterlaced(video) ? ['yadif=deint=interlaced'] : []),
    ...(is_fast ? [`fps=${max_rate}`] : []),
    ...[scaled, ...tones],
  ]
  // 1080p with at most 30 pictures a second fits into level 4.1, the highest of the first two Chromecasts.
  const level = rate > 0 && rate <= 30 + tolerance ? '4.1' : '4.2'
  return [
    ...x264,
    ...['-profile:v', 'high', '-level:v', level, '-maxrate', '20M', '-bufsize', '40M', '-tag:v', 'avc1'],
    ...['-vf', filters.join(',')],
  ]
}

/** Never larger than it was. ffmpeg has turned the picture before, where its file says so. */
const scaled = [
  `scale=w='min(iw,if(gte(iw,ih),${longest_side},${shortest_side}))'`,
  `h='min(ih,if(gte(iw,ih),${shortest_side},${longest_side}))'`,
  ...['force_original_aspect_ratio=decrease', 'force_divisible_by=2'],
].join(':')

/** From the brightness of HDR, which reaches ten thousand candelas, to that of usual screens. Needs zscale, which ffmpeg may lack. */
const toneMapped = (video: Stream): string[] =>
  isHdr(video)
    ? [
        `zscale=tin=${video.color_transfer}:min=bt2020nc:pin=bt2020:rin=tv:t=linear:npl=100`,
        ...['format=gbrpf32le', 'zscale=p=bt709', 'tonemap=hable:desat=0', 'zscale=t=bt709:m=bt709:r=tv'],
      ]
    : []
