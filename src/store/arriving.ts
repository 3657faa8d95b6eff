/**
 * Videos that are watched while they are downloaded: who waits for one, and the segments that have arrived. They are next to the work
 * folders, on this machine: a web process sees them only where it shares that folder with the worker.
 */
import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { segment } from './paths.ts'

/** Names a download; everyone who may watch the download has the same key. */
export type ArrivingKey = string

export interface ArrivingVideos {
  /** Notes that someone waits for this video, or watches it. */
  want(key: ArrivingKey): Promise<void>
  /** Whether someone has waited for this video, or watched it, within the last minute. */
  isWanted(key: ArrivingKey): Promise<boolean>
  /** Makes a new, empty folder for the segments of a run, and removes older ones of the same video. */
  newFolder(key: ArrivingKey, claim: string): Promise<string>
  /** Stores a small text beside the segments. The text replaces the text before. */
  note(key: ArrivingKey, text: string): Promise<void>
  noted(key: ArrivingKey): Promise<string | undefined>
  /** The newest folder of segments; `undefined`: there is none. */
  newest(key: ArrivingKey): Promise<string | undefined>
  /** `undefined`: there is no such file. `folder`: as `newest` named it. The caller closes it. */
  open(key: ArrivingKey, folder: string, name: string): Promise<ArrivingFile | undefined>
  /** Removes what a run has made. */
  forget(key: ArrivingKey, claim: string): Promise<void>
}

/** A complete file: no reader sees a part of it. */
export type ArrivingFile = { source: FileHandle; size: number }

/** A player that shows the video asks for more every few seconds. */
const wanted_ms = 60_000
const wanted_file = 'wanted'
const note_file = 'note'
const folder_pattern = /^[\w-]{1,80}\.\d{1,4}$/

/** `folder`: the real path of the folder in which `.work` is. `writable`: the same, and throws while nothing can be written there. */
export function arrivingIn(folder: Promise<string>, writable = () => folder): ArrivingVideos {
  const placeOf = async (key: ArrivingKey, ...more: string[]) =>
    join(await folder, '.work', 'arriving', segment(key), ...more)

  const foldersOf = async (key: ArrivingKey) =>
    (await readdir(await placeOf(key)).catch(() => [])).filter(name => folder_pattern.test(name))

  return {
    async want(key) {
      await writable()
      await mkdir(await placeOf(key), { recursive: true })
      const file = await placeOf(key, wanted_file)
      const now = new Date()
      await utimes(file, now, now).catch(() => writeFile(file, ''))
    },

    async isWanted(key) {
      const found = await stat(await placeOf(key, wanted_file)).catch(() => undefined)
      return found !== undefined && Math.abs(Date.now() - found.mtimeMs) < wanted_ms
    },

    async newFolder(key, claim) {
      await writable()
      const older = await foldersOf(key)
      const numbers = older.filter(name => name.startsWith(`${claim}.`)).map(name => Number(name.split('.')[1]))
      const made = await placeOf(key, `${claim}.${Math.max(0, ...numbers) + 1}`)
      await mkdir(made, { recursive: true })
      for (const name of older) await rm(await placeOf(key, name), { recursive: true, force: true })
      return made
    },

    async note(key, text) {
      await writable()
      await mkdir(await placeOf(key), { recursive: true })
      const written = await placeOf(key, `${note_file}.${crypto.randomUUID()}`)
      await writeFile(written, text)
      await rename(written, await placeOf(key, note_file))
    },

    noted: async key => readFile(await placeOf(key, note_file), 'utf8').catch(() => undefined),

    newest: async key => newestOf(await placeOf(key), await foldersOf(key)),

    open: async (key, name, file) =>
      folder_pattern.test(name) && /^[\w-]+\.\w+$/.test(file)
        ? openArriving(await placeOf(key, name, file))
        : undefined,

    async forget(key, claim) {
      for (const name of await foldersOf(key))
        if (name.startsWith(`${claim}.`)) await rm(await placeOf(key, name), { recursive: true, force: true })
      await rm(await placeOf(key, note_file), { force: true })
    },
  }
}

async function newestOf(parent: string, names: string[]): Promise<string | undefined> {
  const dated = await Promise.all(
    names.map(async name => ({ name, at: (await stat(join(parent, name)).catch(() => undefined))?.mtimeMs ?? 0 })),
  )
  return dated.toSorted((a, b) => b.at - a.at)[0]?.name
}

async function openArriving(path: string): Promise<ArrivingFile | undefined> {
  const source = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch(() => undefined)
  return source && { source, size: (await source.stat()).size }
}
