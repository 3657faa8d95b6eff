/**
 * Which devices play which files, as one table. A file plays where its picture and its first sound do, in the MP4 or M4A that we make.
 *
 * Read for it, in November 2026:
 * - Chrome, Edge, Firefox, Safari: MDN, https://developer.mozilla.org/docs/Web/Media/Guides/Formats/Video_codecs and …/Audio_codecs. HEVC
 *   needs a decoder of the machine in Chrome and Edge, and one of the machine or its system in Firefox. Safari has VP9 since 14.1 and AV1
 *   since 17. MDN names Opus in Safari for CAF files only. Apple's notes on Safari 17 name MP4, as
 *   https://github.com/Fyrd/caniuse/issues/6805 quotes them, with a test.
 * - Samsung: https://developer.samsung.com/smarttv/develop/specifications/media-specifications/2018-tv-video-specifications.html, table 1.
 *   VP9 only in WebM, Opus also in MP4, neither FLAC nor ALAC. The page of 2020 is the first with AV1.
 * - Android: https://developer.android.com/media/platform/supported-formats. FLAC in MP4 since Android 10. Chrome there reads VP9 and
 *   Opus in MP4 with its own code.
 * - Apple's devices: the section on video of "HLS Authoring Specification for Apple Devices", in an edition without AV1:
 *   https://developer.apple.com/library/content/documentation/General/Reference/HLSAuthoringSpec/Requirements.html. It is about streams:
 *   "All video MUST be encoded using H.264/AVC or HEVC/H.265", at most 60 frames, HEVC up to Main 10. It names no VP9.
 *
 * Not read, because only quotations of these pages were at hand:
 * - Apple TV 4K: https://support.apple.com/111929. As others quote it: H.264 and HEVC up to 2160p with 60 frames, HEVC in HDR10. It names
 *   neither VP9 nor AV1.
 * - iPhone and iPad: Apple publishes no list of codecs for all models. AV1 needs the chip of the iPhone 15 Pro or a later one, as
 *   https://alexwlchan.net/2025/av1-on-my-iphone tells.
 * - LG: https://webostv.developer.lge.com/develop/specifications/video-audio-40. The answers for 2018 lie between those for 2016 and 2019
 *   in the profiles of Universal Media Server, LG-UH770.conf and LG-OLED.conf, of which the second follows LG's manual: VP9 only in MKV,
 *   AV1 since 2019, neither Opus nor FLAC in MP4. HEVC is in MOV in both, but in MP4 only in that of 2019, so 2018 is `some`.
 */
import type { FileStreams, PictureStream } from './streams.ts'

export const deviceNames = {
  chrome: 'Chrome, Edge',
  firefox: 'Firefox',
  safari: 'Safari on a Mac',
  iphone: 'iPhone, iPad',
  apple_tv: 'Apple TV 4K',
  samsung_2018: 'Samsung TV of 2018',
  lg_2018: 'LG TV of 2018',
  android: 'Android',
}
export type Device = keyof typeof deviceNames
export const devices = Object.keys(deviceNames) as Device[]

/** `some`: only newer models, only where the machine has a decoder, or the sources disagree. */
export type Answer = 'yes' | 'some' | 'no'

type Answers = Record<Device, Answer>

const answers = (of: (device: Device) => Answer) =>
  Object.fromEntries(devices.map(device => [device, of(device)])) as Answers

/** A device that is not named plays it. */
const playedExcept = ({ some = [], no = [] }: { some?: Device[]; no?: Device[] }): Answers =>
  answers(device => (no.includes(device) ? 'no' : some.includes(device) ? 'some' : 'yes'))

const everywhere = playedExcept({})
/** Of a codec that is not in the table. */
const unknown = answers(() => 'some')

const isSmall = ({ width, height, frame_rate }: PictureStream) =>
  Math.max(width, height) <= 1920 && Math.min(width, height) <= 1088 && (frame_rate ?? 0) <= 60.5

/** The first that fits counts. */
const pictures: { fits: (picture: PictureStream) => boolean; played: Answers }[] = [
  {
    fits: ({ codec, bits }) => codec === 'h264' && bits > 8,
    played: playedExcept({
      some: ['firefox'],
      no: ['safari', 'iphone', 'apple_tv', 'samsung_2018', 'lg_2018', 'android'],
    }),
  },
  { fits: picture => picture.codec === 'h264' && isSmall(picture), played: everywhere },
  // LG plays 4K of 30 frames per second.
  { fits: ({ codec }) => codec === 'h264', played: playedExcept({ some: ['lg_2018', 'android'] }) },
  {
    fits: ({ codec }) => codec === 'hevc',
    played: playedExcept({ some: ['chrome', 'firefox', 'lg_2018', 'android'] }),
  },
  {
    fits: picture => picture.codec === 'vp9' && isSmall(picture),
    played: playedExcept({ some: ['safari', 'iphone'], no: ['apple_tv', 'samsung_2018', 'lg_2018'] }),
  },
  {
    fits: ({ codec }) => codec === 'vp9' || codec === 'av1',
    played: playedExcept({ some: ['safari', 'iphone', 'android'], no: ['apple_tv', 'samsung_2018', 'lg_2018'] }),
  },
]

const sounds = new Map<string, Answers>([
  ['aac', everywhere],
  ['mp3', everywhere],
  ['opus', playedExcept({ some: ['safari', 'iphone'], no: ['apple_tv', 'lg_2018'] })],
  ['flac', playedExcept({ some: ['android'], no: ['samsung_2018', 'lg_2018'] })],
  ['alac', playedExcept({ no: ['chrome', 'firefox', 'samsung_2018', 'lg_2018', 'android'] })],
])

/** What each device makes of a file. */
export function playsOn({ video, sounds: [sound] }: FileStreams): Answers {
  const of_picture = video ? (pictures.find(({ fits }) => fits(video))?.played ?? unknown) : everywhere
  const of_sound = sound ? (sounds.get(sound.codec) ?? unknown) : everywhere
  return answers(device => worst(of_picture[device], of_sound[device]))
}

const worst = (...both: Answer[]): Answer => (both.includes('no') ? 'no' : both.includes('some') ? 'some' : 'yes')

/** The devices that people name, for which a file may not do. */
const groups: { words: string; of: Device[] }[] = [
  { words: 'iPhones', of: ['iphone'] },
  { words: 'older TVs', of: ['apple_tv', 'samsung_2018', 'lg_2018'] },
]

const browsers: Device[] = ['chrome', 'firefox', 'safari', 'android']

/** The codecs of a file that some browsers lack, with `-10` for more than 8 bits. `page/lacked-codecs.js` knows the same names. */
export function codecsLacked(file: FileStreams | null): string[] {
  if (file === null) return []
  const { video, sounds } = file
  const parts = [
    { name: `${video?.codec}${video && video.bits > 8 ? '-10' : ''}`, file: { ...file, sounds: [] } },
    { name: sounds[0]?.codec ?? '', file: { ...file, video: null } },
  ]
  return parts.flatMap(({ name, file }) => (browsers.every(browser => playsOn(file)[browser] === 'yes') ? [] : [name]))
}

/** "iPhones or older TVs": on which the file may not play; `undefined`: it plays on all of them, or nothing is known of it. */
export function unplayableOn(file: FileStreams | null): string | undefined {
  if (file === null) return undefined
  const played = playsOn(file)
  const found = groups.filter(({ of }) => of.some(device => played[device] !== 'yes'))
  return found.map(({ words }) => words).join(' or ') || undefined
}
