/** What is in a file beside its picture and its first sound, with the real yt-dlp and ffmpeg against a video site on loopback. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { useDownloads } from '../../support/media/downloads.ts'
import { getFilm } from '../../support/media/films.ts'
import { toolsForTests } from '../../support/process/tools.ts'

const site = useDownloads()
const words = (line: string) => line.split(' ')

/** Publishes what ffmpeg makes of the plain film, and returns its path on the site. `texts`: files that ffmpeg may read. */
async function made(name: string, args: string[], texts: Record<string, string> = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'backlot-tracks-'))
  for (const [file, text] of Object.entries(texts)) await writeFile(join(folder, file), text)
  const all = ['-nostdin', '-loglevel', 'error', '-i', await getFilm('/plain.mp4'), ...args, name]
  await execa(toolsForTests().ffmpeg, all, { cwd: folder })
  site.media.publish(`/${name}`, await readFile(join(folder, name)), 'application/octet-stream')
  await rm(folder, { recursive: true })
  return `/${name}`
}

describe('HEVC', () => {
  const x265 = words('-t 1 -c:v libx265 -preset ultrafast -x265-params log-level=none -c:a copy')

  it.each([
    ['in an MP4 that is kept', 'kept.mp4', ['-movflags', '+faststart']],
    ['in an MP4 whose index is last', 'last.mp4', []],
    ['in Matroska', 'hevc.mkv', []],
  ])('%s is stored under the name that Safari plays', async (_, name, args) => {
    const { streams } = await site.fetched(await made(name, [...x265, ...args]))

    expect(streams[0]).toMatchObject({ codec_name: 'hevc', codec_tag_string: 'hvc1' })
  })
})

describe('several sounds', () => {
  const two = [
    ...words('-f lavfi -i sine=frequency=880:duration=4 -map 0:v -map 0:a -map 1:a -c:v copy -c:a aac'),
    ...words('-metadata:s:a:0 language=eng -metadata:s:a:1 language=deu -disposition:a:0 0 -disposition:a:1 default'),
  ]

  it.each([
    ['an MP4 that starts fast', 'two-fast.mp4', ['-movflags', '+faststart']],
    ['an MP4 whose index is last', 'two-last.mp4', []],
    ['Matroska', 'two.mkv', []],
  ])('all of %s are kept with their languages, the default one first', async (_, name, args) => {
    const { streams } = await site.fetched(await made(name, [...two, ...args]))

    const sounds = streams.filter(({ codec_type }) => codec_type === 'audio')
    expect(sounds.map(({ tags, disposition }) => [tags?.language, disposition.default])).toEqual([
      ['deu', 1],
      ['eng', 0],
    ])
  })
})
