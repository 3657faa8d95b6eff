/** Which formats the real yt-dlp takes of lists like YouTube's, where joined formats have a language and separate pictures have none. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, it } from 'vitest'
import type { Quality } from '../../../src/schema/downloads/quality.ts'
import { argumentsOf } from '../../../src/ytdlp/ask/command.ts'
import { markersWith } from '../../../src/ytdlp/ask/output.ts'
import { toolsForTests } from '../../support/process/tools.ts'
import { newFolder } from '../../support/run/new-folder.ts'

type Format = Record<string, unknown> & { format_id: string }

const address = 'https://r1.googlevideo.com/videoplayback'
const file = { url: address, protocol: 'https', ext: 'mp4', source_preference: -1, language_preference: -1 }

/** As yt-dlp reads it: pictures have no language and the preference -1. */
const picture = (format_id: string, vcodec: string, height: number, quality: number): Format => ({
  ...file,
  format_id,
  vcodec,
  acodec: 'none',
  height,
  width: (height * 16) / 9,
  quality,
  fps: 30,
  dynamic_range: 'SDR',
})

const sounds = (itag: string, acodec: string, quality = 2): Format[] =>
  languages.map(({ language, language_preference }) => ({
    ...file,
    format_id: `${itag}-${language}`,
    vcodec: 'none',
    acodec,
    quality,
    abr: 128,
    language,
    language_preference,
  }))

/** The viewer's language is English, so YouTube chose the dubbed sound. */
const languages = [
  { language: 'en', language_preference: 5 },
  { language: 'fr', language_preference: -1 },
  { language: 'de', language_preference: 10 },
]

/** Joined picture and sound of HLS, in every language. yt-dlp gives a dubbed one no preference. */
const joined: Format[] = [
  { height: 720, quality: 8 },
  { height: 1080, quality: 9 },
].flatMap(({ height, quality }) =>
  languages.map(({ language, language_preference }) => ({
    ...picture(`hls${height}-${language}`, 'avc1.640028', height, quality),
    acodec: 'mp4a.40.2',
    language,
    protocol: 'm3u8_native',
    source_preference: -2,
    language_preference: language_preference > 0 ? language_preference : null,
  })),
)

const original18: Format = { ...picture('18', 'avc1.42001E', 360, 5), acodec: 'mp4a.40.2', ...languages[2] }
const hls_pictures: Format[] = [
  { ...picture('270', 'avc1.640028', 1080, 9), protocol: 'm3u8_native' },
  { ...picture('232', 'avc1.4d401f', 720, 8), protocol: 'm3u8_native' },
]
const separate: Format[] = [
  ...[picture('136', 'avc1.4d401f', 720, 8), picture('137', 'avc1.640028', 1080, 9)],
  ...[picture('248', 'vp9', 1080, 9), picture('313', 'vp9', 2160, 11), picture('401', 'av01.0.12M.08', 2160, 11)],
  ...[...sounds('140', 'mp4a.40.2'), ...sounds('251', 'opus')],
]

async function takenOf(formats: Format[], quality: Quality): Promise<string> {
  const folder = newFolder()
  const info = { id: 'x', title: 'x', extractor: 'youtube', extractor_key: 'Youtube', webpage_url: address, formats }
  await writeFile(join(folder, 'info.json'), JSON.stringify(info))
  const { ytdlp, ffmpeg } = toolsForTests()
  const [python = '', ...before] = ytdlp.command
  const request = { url: address, quality, folder, ffmpeg, version: ytdlp.version, markers: markersWith('5ec7e7') }
  const args = argumentsOf(request)
  const choice = ['-f', '-S'].flatMap(flag => [flag, args[args.indexOf(flag) + 1] ?? ''])
  const more = ['--ignore-config', '--load-info-json', join(folder, 'info.json'), '--simulate', '--print', 'format_id']
  return (await execa(python, [...before, ...choice, ...more], { env: ytdlp.env, stdin: 'ignore' })).stdout
}

it.each<[string, Format[], Quality, string]>([
  ['the 4K picture is larger than joined HLS', [...separate, ...joined], 'best', '313+140-de'],
  ['the 4K picture is larger than joined 360p', [...separate, original18], 'best', '313+140-de'],
  ['the 4K picture is larger than separate HLS', [...separate, ...hls_pictures, ...joined], 'best', '313+140-de'],
  ['separate 1080p is as large as joined HLS', [...separate, ...joined, original18], '1080', '137+140-de'],
  ['separate H.264 plays as well as joined HLS', [...separate, ...joined, original18], 'compatible', '137+140-de'],
  [
    'separate HLS is taken with separate sound',
    [...hls_pictures, ...joined, ...sounds('140', 'aac')],
    '720',
    '232+140-de',
  ],
  [
    'a better sound is in another language',
    [...separate.filter(({ format_id }) => format_id !== '140-en'), ...sounds('141', 'mp4a.40.2', 4).slice(0, 1)],
    'best',
    '313+140-de',
  ],
  ['only joined formats are there', joined, 'best', 'hls1080-de'],
  [
    'a dubbed joined format is larger',
    joined.filter(({ format_id }) => format_id !== 'hls1080-de'),
    'best',
    'hls720-de',
  ],
  ['the sound is wanted alone', [...separate, ...joined], 'audio', '140-de'],
])('the original language is taken where %s', async (_, formats, quality, taken) => {
  expect(await takenOf(formats, quality)).toBe(taken)
})
