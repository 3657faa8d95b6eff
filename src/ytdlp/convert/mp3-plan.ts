/** Plans how a downloaded file becomes an MP3. An MP3 holds one sound: the default one. Sound that is MP3 already is not encoded again. */
import type { Probe, Stream } from './ffmpeg.ts'
import { type Conversion, only_streams, playedSound, soundsOf } from './mp4-plan.ts'

export function mp3PlanOf({ streams, format }: Probe): Conversion {
  const sounds = soundsOf(streams)
  const [sound] = sounds
  if (!sound) return { kind: 'no_sound' }
  const is_mp3 = sound.codec_name === 'mp3'
  if (is_mp3 && sounds.length === 1 && isMp3File({ streams, format })) return { kind: 'keep' }
  const bit_rate = sound.bit_rate ?? (streams.length === 1 ? format.bit_rate : undefined)
  const codec = is_mp3 ? ['copy'] : encoded(sound, bit_rate)
  return {
    kind: is_mp3 ? 'remux' : 'transcode',
    args: ['-map', `0:${sound.index}`, ...only_streams, '-vn', '-c:a', ...codec, '-f', 'mp3'],
  }
}

/** Whether the file is an MP3 already, as far as its container says. */
export const isMp3File = ({ format, streams }: Pick<Probe, 'format' | 'streams'>): boolean =>
  format.format_name === 'mp3' && playedSound(streams)?.codec_name === 'mp3'

/** Every player of MP3 plays stereo with at most 48 kHz. LAME takes no more of either. */
const encoded = ({ channels, sample_rate }: Stream, bit_rate: number | undefined): string[] => [
  ...['libmp3lame', '-q:a', String(qualityFor(bit_rate))],
  ...((channels ?? 0) > 2 ? ['-ac', '2'] : []),
  ...((sample_rate ?? 0) > 48_000 ? ['-ar', '48000'] : []),
]

/**
 * LAME's variable bit rate. V2 needs about 190 kbit/s of stereo, and few people can tell it from the original; what sites have is encoded
 * once already, so V0 would only be larger. Sound of few bits per second gets a bit rate above its own, but not a multiple of it.
 * Source: LAME, "Recommended Encoder Settings" (hydrogenaud.io).
 */
const qualityFor = (bit_rate = Number.POSITIVE_INFINITY): number =>
  qualities.find(({ from }) => bit_rate >= from)?.quality ?? lowest_quality

const qualities = [
  { from: 112_000, quality: 2 },
  { from: 80_000, quality: 4 },
  { from: 56_000, quality: 6 },
]
const lowest_quality = 7
