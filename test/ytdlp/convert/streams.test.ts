/** What twelve kinds of real files contain, read with the real ffprobe, and where a guide says that they play. */
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { expect, it } from 'vitest'
import { memoized } from '../../../src/runtime/cache.ts'
import { codecsLacked, deviceNames, devices, playsOn, unplayableOn } from '../../../src/schema/sources/plays-on.ts'
import { type FileStreams, soundWords, streamWords } from '../../../src/schema/sources/streams.ts'
import { Probe, probeFile } from '../../../src/ytdlp/convert/ffmpeg.ts'
import { streamsIn } from '../../../src/ytdlp/convert/streams.ts'
import { getFilm } from '../../support/media/films.ts'
import { kinds, mp3 } from '../../support/media/kinds.ts'
import { toolsForTests } from '../../support/process/tools.ts'

const streamsOf = memoized(async (path): Promise<FileStreams> => {
  const file = await getFilm(path)
  const signal = new AbortController().signal
  const streams = streamsIn(await probeFile(toolsForTests(), { file, folder: dirname(file), signal }))
  if (!streams) throw new Error(`${path} cannot be read.`)
  return streams
})

/** A line of the table. */
const rowOf = (cells: string[]) => `| ${cells.join(' | ')} |`
const spaced = (text: string) => text.replace(/ +/g, ' ')

it.each([...kinds, mp3])('$path says what it contains, and the guide says where it plays', async kind => {
  const streams = await streamsOf(kind.path)
  expect(streamWords(streams)).toBe(kind.words)
  const guide = spaced(await readFile('docs/television-and-podcasts.md', 'utf8'))
  expect(guide).toContain(rowOf(['', ...devices.map(device => deviceNames[device])]).replace('|  |', '| |'))
  expect(guide).toContain(rowOf([kind.name, ...devices.map(device => playsOn(streams)[device])]))
})

it.each([
  ['/kinds/h264.mp4', undefined, []],
  ['/kinds/h264-60.mp4', undefined, []],
  ['/kinds/sound.m4a', undefined, []],
  ['/kinds/h264-4k.mp4', 'older TVs', ['h264']],
  ['/kinds/hevc.mp4', 'older TVs', ['hevc']],
  ['/kinds/hevc-hdr.mp4', 'older TVs', ['hevc-10']],
  ['/kinds/av1.mp4', 'iPhones or older TVs', ['av1']],
  ['/kinds/vp9-4k.mp4', 'iPhones or older TVs', ['vp9']],
  ['/kinds/h264-opus.mp4', 'iPhones or older TVs', ['opus']],
])('a card names where %s may not play: %s', async (path, elsewhere, lacked) => {
  const streams = await streamsOf(path)
  expect([unplayableOn(streams), codecsLacked(streams)]).toEqual([elsewhere, lacked])
})

it('every sound is named, with its language and its own name', async () => {
  const streams = await streamsOf('/kinds/two-sounds.mp4')
  expect(streams.sounds).toEqual([
    { codec: 'aac', channels: 1, language: 'de', title: null },
    { codec: 'aac', channels: 1, language: 'en', title: 'Commentary' },
  ])
})

const inMp4 = (handler_name: string) =>
  streamsIn(
    Probe.parse({
      streams: [{ index: 0, codec_type: 'audio', codec_name: 'aac', tags: { handler_name } }],
      format: { format_name: 'mov,mp4,m4a,3gp,3g2,mj2' },
    }),
  )?.sounds[0]?.title

it.each([
  ...[
    'SoundHandler',
    'SoundHandle',
    'Core Media Audio',
    'GPAC ISO Audio Handler',
    'Mainconcept MP4 Sound Media Handler',
  ],
  ...['ISO Media file produced by Google Inc. Created on: 11/26/2026.', '(C) 2007 Google Inc. v08.13.2007.'],
  ...['IsoMedia File Produced by Google, 5-11-2011', '\u001cApple Sound Media Handler', 'Bento4 Sound Handler'],
  ...['soun', 'Sound', 'Audio', 'Track 2', 'TrackHandler', 'Twitch: Audio Media Handler', 'L-SMASH Audio', ' '],
])('"%s", which a program writes as the name of every sound, is no name', handler => {
  expect(inMp4(handler)).toBeNull()
})

it.each(['Kommentar', 'Audio description', 'Sound of the hall', 'Mediation', '解説'])('"%s" is a name', handler => {
  expect(inMp4(handler)).toBe(handler)
})

it.each([
  ['de', null, 'German'],
  ['de', 'Commentary', 'German (Commentary)'],
  ['de', 'german', 'German'],
  [null, 'Commentary', 'Commentary'],
  [null, null, 'Sound 2'],
])('a second sound in the language %s with the name %s is called %s', (language, title, called) => {
  expect(soundWords({ codec: 'aac', channels: 2, language, title }, 1)).toBe(called)
})

it.each([
  ['fits.mp4', true],
  ['fits-index-last.mp4', true],
  ['interlaced.ts', false],
  ['h264-10-bit.mkv', false],
  ['h264-level-5.2.mp4', false],
  ['sound-96-khz.mkv', false],
])('whether the quality "compatible" keeps %s is stored: %s', async (name, is_compatible) => {
  expect(await streamsOf(`/odd/${name}`)).toMatchObject({ is_compatible })
})

it('what ffprobe cannot read, or what no file can be, is nothing', () => {
  const odd = { streams: [], chapters: [], format: { format_name: 'mp4', duration: -5, tags: new Map() } }
  expect([streamsIn(undefined), streamsIn(odd)]).toEqual([null, null])
})
