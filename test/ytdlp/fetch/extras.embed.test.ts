/** Files that describe themselves, from the real yt-dlp and ffmpeg against sites on loopback, read by ffprobe. */
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPictureFetcher } from '../../../src/feed/fetch/fetch-picture.ts'
import { type AddressPolicy, addressPolicy } from '../../../src/net/addresses.ts'
import { memoized } from '../../../src/runtime/cache.ts'
import type { Quality } from '../../../src/schema/downloads/quality.ts'
import { type FileWords, wordsHash } from '../../../src/schema/videos/video.ts'
import { Probe } from '../../../src/ytdlp/convert/ffmpeg.ts'
import { layoutOf, m4aPlanOf, mp4PlanOf } from '../../../src/ytdlp/convert/mp4-plan.ts'
import { createDownloader, type Downloader } from '../../../src/ytdlp/fetch/download.ts'
import type { Tools } from '../../../src/ytdlp/process/programs.ts'
import { succeeded } from '../../support/media/downloads.ts'
import { siteWith } from '../../support/media/feed-site.ts'
import { duration_s, getFilm } from '../../support/media/films.ts'
import { type MediaServer, openMediaServer } from '../../support/media/media.ts'
import { openSmallYoutube, type SmallYoutube, smallChannel } from '../../support/media/small-youtube.ts'
import { withFakeYtdlp } from '../../support/process/fake-tool.ts'
import { toolsForTests } from '../../support/process/tools.ts'
import { newFolder } from '../../support/run/new-folder.ts'

const channel = smallChannel('cooking', { videos: 3, newest_at: new Date('2026-11-20T09:00:00Z') })
const [video] = channel.videos
let youtube: SmallYoutube
let media: MediaServer
const place = newFolder()
beforeAll(async () => {
  ;[youtube, media] = await Promise.all([openSmallYoutube(channel), openMediaServer()])
})
afterAll(() => Promise.all([youtube.close(), media.close()]))

const words = (changes: Partial<FileWords> = {}): FileWords => ({
  title: 'Soup = good; #1',
  channel_title: 'Knives & Forks 厨房',
  published_at: new Date('2026-05-01T12:00:00Z'),
  description: 'First line.\nSecond line: 50 % salt \\ pepper.',
  video_url: `${media.url}/plain.mp4`,
  thumbnail_url: `${media.url}/picture.jpg`,
  ...changes,
})

const downloader = (tools: Tools, policy: AddressPolicy) =>
  createDownloader({ tools, policy, fetchPicture: createPictureFetcher({ policy }) })
const fromYoutube = () => downloader(youtube.tools(toolsForTests()), youtube.policy())
const onlyMedia = () => addressPolicy([new URL(media.url).host])
const fromMedia = () => downloader(toolsForTests(), onlyMedia())

/** A bare media file from the real yt-dlp, with the words of the person. Each quality is downloaded once. */
const bare = memoized(quality => fetched(fromMedia(), words().video_url, words(), quality as Quality))

/** Brings the film of `bare`, and what the real yt-dlp said about it. Everything after yt-dlp is as usual. */
async function again(): Promise<Downloader> {
  const { folder } = await bare('best')
  const bring = `cp "${folder}/video.mp4" "${folder}/about.info.json" "$folder"`
  const tools = await withFakeYtdlp(
    toolsForTests(),
    place,
    `${bring}\nsay done "{\\"filepath\\": \\"$folder/video.mp4\\"}"`,
  )
  return downloader(tools, onlyMedia())
}

async function fetched(download: Downloader, url: string, own: FileWords | undefined, quality?: Quality) {
  const folder = await mkdtemp(join(place, 'run-'))
  const signal = new AbortController().signal
  const asked = { url, quality, ...(own && { words: own }), folder, signal, onProgress: () => {} }
  const result = succeeded(await download(asked))
  const what = ['-v', 'error', '-show_streams', '-show_format', '-of', 'json', result.file]
  const { stdout } = await execa(toolsForTests().ffprobe, what)
  const { streams, format } = JSON.parse(stdout) as {
    streams: { codec_type: string; codec_name: string; width: number; disposition: { attached_pic: number } }[]
    format: { duration: string; tags: Record<string, string> }
  }
  const cover = streams.find(({ disposition }) => disposition.attached_pic === 1)
  return { ...result, folder, tags: format.tags, duration: Number(format.duration), streams, cover, probe: stdout }
}

it.each(['best', 'audio', 'mp3'] as const)(
  'a file of a platform describes itself in the words of the platform: %s',
  async quality => {
    const page = `https://www.youtube.com/watch?v=${video?.id}`
    const { tags, cover, words_hash } = await fetched(fromYoutube(), page, words(), quality)
    expect(tags).toMatchObject({
      title: video?.title,
      artist: channel.title,
      album_artist: channel.title,
      date: '2026-11-20',
      description: `About ${video?.title}.`,
      synopsis: `About ${video?.title}.`,
      comment: page,
    })
    expect(cover).toMatchObject({ codec_name: 'mjpeg', width: 1280 })
    expect(words_hash).toBeUndefined()
  },
)

it.each(['best', 'audio', 'mp3'] as const)('a bare media file gets the words of the person: %s', async quality => {
  const own = words()
  const { tags, cover, words_hash } = await bare(quality)
  expect(tags).toMatchObject({
    title: own.title,
    artist: own.channel_title,
    album_artist: own.channel_title,
    date: '2026-05-01',
    description: own.description,
    synopsis: own.description,
    comment: own.video_url,
  })
  expect(cover).toMatchObject({ codec_name: 'mjpeg', width: 1280 })
  expect(words_hash).toBe(wordsHash(own))
})

it('a file with texts and a cover still starts fast, lasts as long, and needs no conversion', async () => {
  for (const [quality, plan] of [
    ['best', mp4PlanOf],
    ['audio', m4aPlanOf],
  ] as const) {
    const { file, duration, streams, probe } = await bare(quality)
    expect(duration).toBeCloseTo(duration_s, 0)
    expect(await layoutOf(file)).toBe('starts_fast')
    const kinds = streams.map(({ codec_name }) => codec_name)
    expect(kinds).toEqual(quality === 'best' ? ['h264', 'aac', 'mjpeg'] : ['aac', 'mjpeg'])
    // The M4A is remuxed only if it is downloaded again from elsewhere, which loses its cover.
    expect(plan(Probe.parse(JSON.parse(probe)), 'starts_fast').kind).toBe(quality === 'best' ? 'keep' : 'remux')
    // The cover is no track: players find only picture and sound.
    expect((await readFile(file)).toString('latin1').split('trak').length - 1).toBe(quality === 'best' ? 2 : 1)
  }
})

it('an MP3 has its texts in ID3 2.3, and its cover as the front cover', async () => {
  const { file, probe, streams, duration } = await bare('mp3')

  expect(streams.map(({ codec_name }) => codec_name)).toEqual(['mp3', 'mjpeg'])
  expect(JSON.parse(probe).format.format_name).toBe('mp3')
  expect(duration).toBeCloseTo(duration_s, 0)
  const head = (await readFile(file)).subarray(0, 5)
  expect([head.toString('latin1', 0, 3), head[3]]).toEqual(['ID3', 3])
  expect(JSON.parse(probe).streams[1].tags.comment).toBe('Cover (front)')
})

it('an MP3 that came with a cover and chapters keeps its sound, both, and each byte of the sound', async () => {
  const chapters = [0, 2].map(at => `[CHAPTER]\nTIMEBASE=1/1\nSTART=${at}\nEND=${at + 2}\ntitle=From ${at}\n`)
  const about = join(place, 'chapters.txt')
  await writeFile(about, `;FFMETADATA1\ntitle=Its own title\n${chapters.join('')}`)
  const inputs = [await getFilm('/sound.mp3'), await getFilm('/picture.jpg'), about].flatMap(file => ['-i', file])
  const maps = ['-map', '0:a', '-map', '1:v', '-map_metadata', '2', '-map_chapters', '2', '-c:a', 'copy']
  const own = join(place, 'episode.mp3')
  await execa(toolsForTests().ffmpeg, ['-loglevel', 'error', '-y', ...inputs, ...maps, own])
  const address = published('/episode.mp3', await readFile(own), 'audio/mpeg')

  const { file, cover, tags } = await fetched(
    fromMedia(),
    address,
    words({ video_url: address, thumbnail_url: null }),
    'mp3',
  )

  expect(tags.title).toBe(words().title)
  expect(cover).toBeDefined()
  expect(await soundOf(file)).toBe(await soundOf(own))
  const { stdout } = await execa(toolsForTests().ffprobe, ['-v', 'error', '-show_chapters', '-of', 'json', file])
  expect(JSON.parse(stdout).chapters.map(({ tags }: { tags: object }) => tags)).toEqual([
    { title: 'From 0' },
    { title: 'From 2' },
  ])
})

/** A digest of the packets of the sound. */
async function soundOf(file: string): Promise<string> {
  const args = ['-v', 'error', '-i', file, '-map', '0:a', '-c', 'copy', '-f', 'md5', '-']
  return (await execa(toolsForTests().ffmpeg, args)).stdout
}

it('a file that came with a cover has one cover afterwards', async () => {
  const { file } = await bare('best')
  media.publish('/covered.mp4', await readFile(file), 'video/mp4')
  const { streams } = await fetched(fromMedia(), `${media.url}/covered.mp4`, words())
  expect(streams.map(({ codec_name }) => codec_name)).toEqual(['h264', 'aac', 'mjpeg'])
})

/** Publishes it, and returns its address. */
function published(path: string, body: string | Buffer, content_type = 'image/jpeg'): string {
  media.publish(path, body, content_type)
  return media.url + path
}
const redirected = (path: string, location: string): string => {
  media.redirect(path, location)
  return media.url + path
}

it.each<[string, () => string | Promise<string>]>([
  ['is missing', () => `${media.url}/nowhere.jpg`],
  ['is a web page', () => `${media.url}/page.html`],
  ['is no picture, although its name and type say so', () => published('/text.jpg', 'not a picture')],
  ['is cut off', () => published('/cut.png', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), 'image/png')],
  ['has too many pixels', async () => published('/large.png', await blank(), 'image/png')],
  [
    'is larger than five megabytes',
    () => published('/heavy.jpg', Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(5 * 1024 * 1024)])),
  ],
  ['redirects for ever', () => redirected('/round.jpg', '/round.jpg')],
  ['is an SVG', () => published('/drawn.jpg', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
  ['is inside our network', () => 'http://127.0.0.1:1/a.jpg'],
  ['is reached by a redirect into our network', async () => redirected('/inside.jpg', await anotherServer())],
  ['contains control characters', () => `${media.url}/a%0Ab.jpg`],
])('a cover that %s costs neither the texts nor the video', async (_, address) => {
  const own = words({ thumbnail_url: await address() })
  const { tags, cover, words_hash } = await fetched(await again(), own.video_url, own)
  expect(cover).toBeUndefined()
  expect(tags.title).toBe(own.title)
  expect(words_hash).toBe(wordsHash(own))
})

it('a cover that the site redirects to is taken, and its largest side is kept small', async () => {
  media.redirect('/moved.jpg', '/picture.jpg')
  const own = words({ thumbnail_url: `${media.url}/moved.jpg` })
  expect((await fetched(await again(), own.video_url, own)).cover).toMatchObject({ width: 1280 })
})

it('a file without an entry of a person gets no words', async () => {
  const { tags, words_hash } = await fetched(await again(), words().video_url, undefined)
  expect(tags.artist).toBeUndefined()
  expect(words_hash).toBeUndefined()
})

/** A black PNG in a few kilobytes, with more pixels than 4096 × 4096. */
async function blank(): Promise<Buffer> {
  const file = join(place, 'blank.png')
  const source = ['-f', 'lavfi', '-i', 'color=black:s=4098x4096', '-frames:v', '1', '-pix_fmt', 'monob', '-y', file]
  await execa(toolsForTests().ffmpeg, ['-loglevel', 'error', ...source])
  return readFile(file)
}

/** The address of a picture on a server that the policy does not allow. Fails the test when it is requested. */
const anotherServer = async () =>
  `${(await siteWith(() => expect.unreachable('a forbidden address was requested'))).url}/a.jpg`
