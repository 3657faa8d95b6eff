/** The real ffprobe on files whose makers mean no good. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { beforeEach, expect, it } from 'vitest'
import { probeFile } from '../../../src/ytdlp/convert/ffmpeg.ts'
import { getFilm } from '../../support/media/films.ts'
import { toolsForTests } from '../../support/process/tools.ts'
import { newFolder } from '../../support/run/new-folder.ts'

let folder: string
beforeEach(async () => {
  folder = newFolder()
})

const probed = (file: string) => probeFile(toolsForTests(), { file, folder, signal: new AbortController().signal })

/** The plain film with these texts, in ffmpeg's metadata format. */
async function filmWith(texts: string, name = 'film.mkv'): Promise<string> {
  const [about, film] = [join(folder, 'about.txt'), join(folder, name)]
  await writeFile(about, `;FFMETADATA1\n${texts}`)
  const inputs = ['-i', await getFilm('/plain.mp4'), '-i', about]
  const args = [...inputs, '-map_metadata', '1', '-map_chapters', '1', '-c', 'copy', film]
  await execa(toolsForTests().ffmpeg, ['-nostdin', '-loglevel', 'error', ...args])
  return film
}

it('tags that we do not need are not read, however long they are', async () => {
  const long = Array.from({ length: 5 }, (_, n) => `junk${n}=${'x'.repeat(900_000)}\n`).join('')

  const probe = await probed(await filmWith(`${long}title=Soup\n`))

  expect(probe?.format.tags).toEqual(new Map([['title', 'Soup']]))
})

it('a file about which ffprobe has more than a megabyte to say counts as unreadable', async () => {
  const long = ['title', 'artist'].map(name => `${name}=${'x'.repeat(900_000)}\n`).join('')

  expect(await probed(await filmWith(long))).toBeUndefined()
})

it('length, codecs and chapters are read', async () => {
  const chapters = ['START=0\nEND=1000\ntitle=One', 'START=1000\nEND=4000\ntitle=Two']
  const text = chapters.map(chapter => `[CHAPTER]\nTIMEBASE=1/1000\n${chapter}\n`).join('')

  const probe = await probed(await filmWith(text, 'film.mp4'))

  expect(probe?.format.duration).toBeCloseTo(4, 0)
  expect(probe?.streams.slice(0, 2).map(({ codec_tag_string }) => codec_tag_string)).toEqual(['avc1', 'mp4a'])
  expect(probe?.chapters).toEqual([
    { start_time: 0, end_time: 1, title: 'One' },
    { start_time: 1, end_time: 4, title: 'Two' },
  ])
})

it('profile, level, sides, frame rate and sound are read, as numbers where they are numbers', async () => {
  const turned = join(folder, 'turned.mp4')
  const args = ['-i', await getFilm('/plain.mp4'), '-c', 'copy', '-metadata:s:v:0', 'rotate=90', turned]
  await execa(toolsForTests().ffmpeg, ['-nostdin', '-loglevel', 'error', ...args])

  const [picture, sound] = (await probed(turned))?.streams ?? []

  expect(picture).toMatchObject({ profile: expect.any(String), level: expect.any(Number), width: 320, height: 180 })
  expect(picture?.avg_frame_rate).toBeGreaterThan(1)
  expect(picture?.side_data_list).toEqual([{ rotation: 90 }])
  expect(sound).toMatchObject({ profile: 'LC', channels: expect.any(Number), sample_rate: expect.any(Number) })
})
