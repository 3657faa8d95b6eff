/** In this process: a person with a real film in a storage, whose sound the real ffmpeg cuts out, and what the sound is. */
import { copyFile, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { execa } from 'execa'
import { afterAll, beforeAll, expect } from 'vitest'
import type { Everyone } from '../../../src/db/everyone.ts'
import { cutSoundOf } from '../../../src/domain/downloads/cut-sound.ts'
import { performDownload, type RunParts } from '../../../src/domain/downloads/perform-download.ts'
import { no_limits } from '../../../src/domain/downloads/room.ts'
import { openSound } from '../../../src/domain/downloads/sounds.ts'
import { closeSource, isOnDisk } from '../../../src/runtime/sending.ts'
import { getFilm } from '../media/films.ts'
import { toolsForTests } from '../process/tools.ts'
import { newFolder } from '../run/new-folder.ts'
import { follows, type Person, person } from './people.ts'
import { openTestStorage, type StorageKind, type TestStorage } from './storages.ts'

const never = new AbortController().signal

/** Call where tests of one kind of storage are described. Each person has one video, `v`. */
export function useFilms(sql: Everyone, kind: StorageKind) {
  const folder = newFolder()
  let storage: TestStorage
  beforeAll(async () => {
    storage = await openTestStorage(kind)
  })
  afterAll(() => storage.close())

  /** Downloads the film, as a worker does. `more`: what another worker would give. */
  async function downloads({ library }: Person, film: string, more: Partial<RunParts> = {}): Promise<void> {
    await library.downloads.request(['v'])
    const download = async ({ folder }: { folder: string }) => {
      const file = join(folder, 'video.mp4')
      await copyFile(await getFilm(film), file)
      return { file, file_size: (await stat(file)).size }
    }
    const outcome = await performDownload({ library, files: storage.files, download, stopping: never, ...more }, 'v')
    expect(['completed', 'copied']).toContain(outcome)
  }

  async function has(name: string, film: string): Promise<Person> {
    const made = await person(sql, name)
    await follows(made, 'kitchen', ['v'])
    await downloads(made, film)
    return made
  }

  const cut = ({ library }: Person, more: Partial<Parameters<typeof cutSoundOf>[0]> = {}) =>
    cutSoundOf(
      {
        library,
        files: storage.files,
        findTools: async () => toolsForTests(),
        room: no_limits,
        signal: never,
        ...more,
      },
      'v',
    )

  async function cutFrom(film: string): Promise<Person> {
    const alice = await has('alice', film)
    await cut(alice)
    return alice
  }

  /** A copy on this machine of what the sound's address would send; `undefined`: there is no sound. */
  async function soundOf({ library }: Person): Promise<string | undefined> {
    const open = await openSound(library, storage.files, 'v')
    if (!open) return undefined
    const file = join(folder, crypto.randomUUID())
    const { source, size } = open
    if (isOnDisk(source)) {
      await writeFile(file, await source.readFile())
      await closeSource(source)
    } else await writeFile(file, await buffer(await source(0, size - 1, never)))
    expect((await stat(file)).size).toBe(size)
    return file
  }
  const pathOf = async ({ library }: Person) => (await library.videos.find('v'))?.download_path ?? ''
  const about = async ({ library }: Person) => (await library.sounds.of(['v'])).get('v')
  const bytesOf = async ({ library }: Person) => (await library.videos.tally()).on_disk_bytes
  /** Whether a worker would cut the sound. */
  async function isQueued({ user, library }: Person): Promise<boolean> {
    await library.sounds.want(['v'])
    const jobs =
      await sql`delete from graphile_worker._private_jobs where key = ${`sound:${user.user_id}:v`} returning id`
    return jobs.length > 0
  }

  return { storage: () => storage, downloads, has, cut, cutFrom, soundOf, pathOf, about, bytesOf, isQueued }
}

export const sizeOf = async (film: string): Promise<number> => (await stat(await getFilm(film))).size

/** A hash of all packets of the sound, in their order. */
export async function packetsOf(file: string): Promise<string> {
  const args = ['-nostdin', '-loglevel', 'error', '-i', file, '-map', '0:a:0', '-c', 'copy', '-f', 'streamhash', '-']
  return (await execa(toolsForTests().ffmpeg, args)).stdout
}

type Probed = {
  streams: { codec_type: string; codec_name: string; duration: string }[]
  chapters: { start_time: string; tags: { title: string } }[]
  format: { tags: Record<string, string> }
}
const entries =
  'stream=index,codec_type,codec_name,sample_rate,channels,start_time,duration:format_tags:chapter=start_time:chapter_tags'
export async function probed(file: string): Promise<Probed> {
  const args = ['-v', 'error', '-show_entries', entries, '-of', 'json', file]
  const said = JSON.parse((await execa(toolsForTests().ffprobe, args)).stdout) as Probed
  // Chapters are also a track of text.
  return { ...said, streams: said.streams.filter(({ codec_type }) => codec_type === 'audio' || codec_type === 'video') }
}

/** The names of the outermost boxes of an MP4, in their order. */
export async function boxesOf(file: string): Promise<string[]> {
  const bytes = await readFile(file)
  const names: string[] = []
  for (let at = 0; at < bytes.length; at += bytes.readUInt32BE(at)) names.push(bytes.toString('latin1', at + 4, at + 8))
  return names
}
