/** What the file of a video contains, in one line on its page: codec, size in pixels, languages and length. */
import {
  codecWords,
  type FileStreams,
  type PictureStream,
  type SoundStream,
  soundWords,
} from '../../schema/sources/streams.ts'
import { durationWords } from '../../schema/values/words.ts'

export const FileContents = ({ file: { video, sounds, duration_seconds } }: { file: FileStreams }) => (
  <p class="file-contents quiet">
    {[video && pictureWords(video), soundContents(sounds), duration_seconds !== null && durationWords(duration_seconds)]
      .filter(Boolean)
      .join(' · ')}
  </p>
)

/** "AAC", or "Sound: German, English (AAC)". */
function soundContents(sounds: SoundStream[]): string {
  const codecs = [...new Set(sounds.map(({ codec }) => codecWords(codec)))].join(', ')
  const is_plain = sounds.length <= 1 && (sounds[0]?.language ?? null) === null
  return is_plain ? codecs : `${soundsWords(sounds)} (${codecs})`
}

/** "Sound: German, English". */
export const soundsWords = (sounds: SoundStream[]): string => `Sound: ${sounds.map(soundWords).join(', ')}`

/** "AV1, 1920 × 1080, 60 fps, 10 bits, HDR". */
const pictureWords = ({ codec, width, height, frame_rate, bits, is_hdr }: PictureStream): string =>
  [
    codecWords(codec),
    `${width} × ${height}`,
    frame_rate !== null && `${Math.round(frame_rate * 100) / 100} fps`,
    bits > 8 && `${bits} bits`,
    is_hdr && 'HDR',
  ]
    .filter(Boolean)
    .join(', ')
