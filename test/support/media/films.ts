/** On disk: real media of a few seconds, made with ffmpeg in the forms that sites use. Each is made once, and kept in the data folder. */
import { hash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { env } from 'node:process'
import { execa } from 'execa'
import { loadedOnce } from '../../../src/runtime/cache.ts'
import { toolsForTests } from '../process/tools.ts'
import { madeOnce } from '../run/made-once.ts'
import { kinds, mp3, two_sounds } from './kinds.ts'
import { odd_films } from './odd-films.ts'
import { itags, pathOf } from './small-youtube/itags.ts'

/** Seconds of every other video here. */
export const duration_s = 4
/** Seconds of those whose names begin with `long`. */
export const long_s = 12
/** Seconds of `minute.mp4`. */
export const minute_s = 60

/** The file that a site serves at this path; `undefined`: there is no film for it. Do not change the file, which all tests share. */
export async function findFilm(path: string): Promise<string | undefined> {
  const [, seconds] = /^\/plain-of-(\d+)\.mp4$/.exec(path) ?? []
  if (seconds) return join(await folderOf(await stretched(Number(seconds))), path)
  const recipe = recipes.find(({ serves }) => serves.test(path))
  return recipe && join(await folderOf(recipe.args), path)
}

/** The same; throws when there is no film for the path. */
export async function getFilm(path: string): Promise<string> {
  const film = await findFilm(path)
  if (film === undefined) throw new Error(`There is no recipe for ${path}.`)
  return film
}

/** Resolves when no film is being made in this process. */
export const filmsSettled = () => Promise.allSettled(being_made.values())

/** The plain film, slowed down until it lasts so long. */
async function stretched(seconds: number): Promise<string[]> {
  const args = lengthened.get(seconds) ?? [
    ...[
      '-itsscale',
      String(seconds / duration_s),
      '-i',
      await getFilm('/plain.mp4'),
      '-c',
      'copy',
      `plain-of-${seconds}.mp4`,
    ],
  ]
  lengthened.set(seconds, args)
  return args
}
const lengthened = new Map<number, string[]>()

const being_made = new Map<string[], Promise<void>>()

/** The folder with what these arguments make. */
async function folderOf(args: string[]): Promise<string> {
  const place = join(resolve(env.DATA_DIR ?? '.data', 'films'), await nameOf(args))
  const making = being_made.get(args) ?? make(place, args)
  being_made.set(args, making)
  await making.finally(() => being_made.delete(args))
  return place
}

/** Another ffmpeg, or another recipe, makes another film. */
async function nameOf(args: string[]): Promise<string> {
  return hash('sha256', JSON.stringify([await version(), args])).slice(0, 20)
}
const version = loadedOnce(async () => (await execa(toolsForTests().ffmpeg, ['-version'], { stdin: 'ignore' })).stdout)

const make = (place: string, args: string[]) =>
  madeOnce(place, async aside => {
    await mkdir(dirname(join(aside, args.at(-1) ?? '')), { recursive: true })
    const all = ['-nostdin', '-loglevel', 'error', ...args]
    await execa(toolsForTests().ffmpeg, all, { cwd: aside, stdin: 'ignore', timeout: 60_000 })
  })

/** Splits a command line. No argument here contains a space. */
const words = (line: string) => line.split(' ')

const picture = words(`-f lavfi -i testsrc=size=320x180:rate=15:duration=${duration_s}`)
const sound = words(`-f lavfi -i sine=frequency=440:duration=${duration_s}`)
const film = [...picture, ...sound]
const h264 = words('-c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 15')
const aac = words('-c:a aac -b:a 64k')
const dash = [...words('-f dash -seg_duration 1'), '-adaptation_sets', 'id=0,streams=v id=1,streams=a']
const hls = words('-f hls -hls_time 1 -hls_playlist_type vod -master_pl_name master.m3u8')
/** One thread: those of libvpx wait for each other without rest, which takes the processor from other tests. */
const quickly = words('-threads 1 -deadline realtime -cpu-used 8 -b:v 200k')

/** Of `long_s` seconds, and of many bytes, so that a part of it can be played while the rest arrives. */
const long = [
  ...words(`-f lavfi -i testsrc=size=320x180:rate=15:duration=${long_s},noise=alls=40:allf=t`),
  ...words(`-f lavfi -i sine=frequency=440:duration=${long_s}`),
]
const fast = words('-threads 1 -deadline realtime -cpu-used 8 -b:v 1500k')

/** Of `minute_s` seconds, and of few bytes. It can be sought to each second. */
const minute = [
  ...words(`-f lavfi -i testsrc=size=160x90:rate=5:duration=${minute_s}`),
  ...words(`-f lavfi -i sine=frequency=440:duration=${minute_s}`),
  ...words('-c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 5 -c:a aac -movflags +faststart'),
]

/** The same picture in three heights, 180, 360 and 720. */
const heights = [180, 360, 720]
const ladder = [
  ...film,
  ...words('-filter_complex [0:v]split=3[a][b][c];[b]scale=-2:360[b2];[c]scale=-2:720[c2]'),
  ...words('-map [a] -map [b2] -map [c2]'),
  ...h264,
  ...words('-b:v:0 100k -b:v:1 250k -b:v:2 600k'),
]
const variants = heights.map((_, n) => `v:${n},a:${n}`).join(' ')

/** A title, and two chapters. */
const chapters = [0, 2].map(
  start => `[CHAPTER]\nTIMEBASE=1/1\nSTART=${start}\nEND=${start + 2}\ntitle=Part from ${start}\n`,
)
const talk_words = [
  ...[
    '-f',
    'ffmetadata',
    '-i',
    `data:text/plain;base64,${Buffer.from(`;FFMETADATA1\ntitle=Bread & ünïcode\n${chapters.join('')}`).toString('base64')}`,
  ],
  ...words('-map 0:v -map 1:a -map_metadata 2 -map_chapters 2'),
]

const recipes: { serves: RegExp; args: string[] }[] = [
  ...[...kinds, mp3, two_sounds].map(({ path, args }) => ({
    serves: new RegExp(`^${path.replace('.', '\\.')}$`),
    args,
  })),
  ...itags.map(one => ({ serves: new RegExp(`^${pathOf(one).replace('.', '\\.')}$`), args: one.args })),
  { serves: /^\/picture\.jpg$/, args: words('-f lavfi -i mandelbrot=size=1600x900 -frames:v 1 picture.jpg') },
  { serves: /^\/plain\.mp4$/, args: [...film, ...h264, ...aac, 'plain.mp4'] },
  { serves: /^\/minute\.mp4$/, args: [...minute, 'minute.mp4'] },
  { serves: /^\/long\.mp4$/, args: [...long, ...h264, ...aac, ...words('-movflags +faststart long.mp4')] },
  { serves: /^\/long-index-last\.mp4$/, args: [...long, ...h264, ...aac, 'long-index-last.mp4'] },
  { serves: /^\/long-hls\//, args: [...long, ...h264, ...aac, ...hls, 'long-hls/media.m3u8'] },
  { serves: /^\/long-dash\//, args: [...long, ...h264, ...aac, ...dash, 'long-dash/manifest.mpd'] },
  {
    serves: /^\/long-vp8\.webm$/,
    args: [...long, ...words('-c:v libvpx'), ...fast, ...words('-c:a libvorbis long-vp8.webm')],
  },
  { serves: /^\/talk\.mp4$/, args: [...film, ...talk_words, ...h264, ...aac, 'talk.mp4'] },
  { serves: /^\/talk-opus\.mp4$/, args: [...film, ...h264, ...words('-c:a libopus talk-opus.mp4')] },
  { serves: /^\/talk-ac3\.mp4$/, args: [...film, ...h264, ...words('-c:a ac3 talk-ac3.mp4')] },
  { serves: /^\/talk-vorbis\.mp4$/, args: [...film, ...h264, ...words('-c:a libvorbis talk-vorbis.mp4')] },
  { serves: /^\/silent\.mp4$/, args: [...picture, ...h264, 'silent.mp4'] },
  { serves: /^\/sound\.mp3$/, args: [...sound, ...words('-c:a libmp3lame sound.mp3')] },
  { serves: /^\/dash\//, args: [...film, ...h264, ...aac, ...dash, 'dash/manifest.mpd'] },
  { serves: /^\/hls\//, args: [...film, ...h264, ...aac, ...hls, 'hls/media.m3u8'] },
  { serves: /^\/dash-ladder\//, args: [...ladder, '-map', '1:a', ...aac, ...dash, 'dash-ladder/manifest.mpd'] },
  {
    serves: /^\/hls-ladder\//,
    args: [
      ...ladder,
      ...heights.flatMap(() => ['-map', '1:a']),
      ...aac,
      ...hls,
      ...['-var_stream_map', variants, 'hls-ladder/media-%v.m3u8'],
    ],
  },
  {
    serves: /^\/vp9\.webm$/,
    args: [...film, ...words('-c:v libvpx-vp9'), ...quickly, ...words('-c:a libopus vp9.webm')],
  },
  {
    serves: /^\/vp8\.webm$/,
    args: [...film, ...words('-c:v libvpx'), ...quickly, ...words('-c:a libvorbis vp8.webm')],
  },
  ...Object.entries(odd_films).map(([name, args]) => ({
    serves: new RegExp(`^/odd/${name.replaceAll('.', '\\.')}$`),
    args: [...args, `odd/${name}`],
  })),
]
