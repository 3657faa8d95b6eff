/** On disk: a folder of files that a person has already, each a real video with a content of its own. */
import { appendFile, copyFile, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import { beforeEach } from 'vitest'
import { toolsForTests } from '../process/tools.ts'
import { newFolder } from '../run/new-folder.ts'
import { getFilm } from './films.ts'

/** For the tests of one file. */
export function useOwnedFiles() {
  let folder: string
  let count = 0
  beforeEach(() => {
    folder = newFolder()
  })

  const write = async (name: string, text: string | object): Promise<string> => {
    const file = join(folder, name)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, typeof text === 'string' ? text : JSON.stringify(text))
    return file
  }

  return {
    get folder() {
      return folder
    },
    write,
    /** `film`: one of `films.ts`. An MP4 gets a box that no other one has. */
    async film(name: string, film = 'plain.mp4'): Promise<string> {
      const file = await write(name, '')
      await copyFile(await getFilm(`/${film}`), file)
      if (film.endsWith('.mp4')) await appendFile(file, box(++count))
      return file
    },
    /** The same with tags inside. */
    async tagged(name: string, tags: Record<string, string>): Promise<string> {
      const film = await getFilm('/plain.mp4')
      const file = await write(name, '')
      const metadata = Object.entries(tags).flatMap(([tag, text]) => ['-metadata', `${tag}=${text}`])
      const args = ['-nostdin', '-loglevel', 'error', '-y', '-i', film, '-c', 'copy', ...metadata, file]
      await execa(toolsForTests().ffmpeg, args, { stdin: 'ignore' })
      return file
    },
  }
}

/** Players skip a box with the name `free`. */
function box(count: number): Buffer {
  const made = Buffer.alloc(16)
  made.writeUInt32BE(16)
  made.write('free', 4, 'latin1')
  made.writeUInt32BE(count, 8)
  return made
}

export const youtubeUrl = (video_id: string) => `https://www.youtube.com/watch?v=${video_id}`

/** What yt-dlp writes next to a video. */
export const infoOf = (video_id: string, more: object = {}) => ({
  id: video_id,
  extractor_key: 'Youtube',
  webpage_url: youtubeUrl(video_id),
  title: `Talk ${video_id}`,
  description: 'About the talk',
  channel: 'Bread Kitchen',
  channel_id: 'UCabcdefghijklmnopqrstuv',
  upload_date: '20240203',
  duration: 4,
  ...more,
})
