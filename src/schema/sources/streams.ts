/** What the file of a video contains, as the file says it: the picture, and every sound with its language. */
import { z } from 'zod'
import { Language, languageWords } from './subtitles.ts'

const PictureStream = z.object({
  codec: z.string().max(40).describe('As ffmpeg names it, such as `h264`, `hevc`, `av1` or `vp9`.'),
  profile: z
    .string()
    .max(80)
    .nullable()
    .describe('The profile of the codec, such as `High` or `Main 10`; null: unknown.'),
  width: z.int().min(0).describe('In pixels.'),
  height: z.int().min(0).describe('In pixels.'),
  frame_rate: z.number().min(0).nullable().describe('Frames per second; null: unknown.'),
  bits: z.int().min(1).max(64).describe('Bits for each colour of a pixel: mostly 8, and 10 for HDR.'),
  is_hdr: z.boolean().describe('Whether its brightness goes beyond that of a common screen (HDR10 or HLG).'),
})
export type PictureStream = z.infer<typeof PictureStream>

const SoundStream = z.object({
  codec: z.string().max(40).describe('As ffmpeg names it, such as `aac`, `opus` or `mp3`.'),
  channels: z.int().min(0).nullable().describe('2: stereo; null: unknown.'),
  language: Language.nullable().describe('The language that is spoken; null: unknown.'),
  title: z.string().max(100).nullable().describe('Its name in the file; null: none.'),
})
export type SoundStream = z.infer<typeof SoundStream>

export const FileStreams = z
  .object({
    video: PictureStream.nullable().describe('The picture; null: the file has only sound.'),
    sounds: z.array(SoundStream).max(32).describe('Every sound. Players start with the first.'),
    duration_seconds: z.number().min(0).nullable().describe('The length; null: unknown.'),
    is_compatible: z
      .boolean()
      .describe('Whether it is a film that the quality `compatible` would keep without any change.'),
  })
  .meta({ id: 'FileStreams' })
export type FileStreams = z.infer<typeof FileStreams>

/** "1080p", "1080p60 HDR": by the shorter side, and the frames per second where there are more than 30. */
export function sizeWords({ width, height, frame_rate, is_hdr }: PictureStream): string {
  const frames = frame_rate !== null && frame_rate > 30.5 ? Math.round(frame_rate) : ''
  return `${Math.min(width, height)}p${frames}${is_hdr ? ' HDR' : ''}`
}

/** "1080p · AV1", or "AAC" for sound only; empty: nothing is known. */
export const streamWords = ({ video, sounds }: FileStreams): string =>
  video ? `${sizeWords(video)} · ${codecWords(video.codec)}` : sounds[0] ? codecWords(sounds[0].codec) : ''

/** "H.264" for `h264`: the name that people know. */
export const codecWords = (codec: string): string => names.get(codec) ?? codec.toUpperCase()

const names = new Map([
  ['h264', 'H.264'],
  ['hevc', 'HEVC'],
  ['opus', 'Opus'],
  ['alac', 'Apple Lossless'],
])

/** "German", "German (Commentary)", "Sound 2": what tells one sound from the others. `nth`: 0 is the first. */
export function soundWords({ language, title }: SoundStream, nth: number): string {
  const spoken = language === null ? undefined : languageWords(language)
  if (spoken === undefined || title === null) return spoken ?? title ?? `Sound ${nth + 1}`
  // Many files name a sound by its language.
  return title.toLowerCase() === spoken.toLowerCase() ? spoken : `${spoken} (${title})`
}
