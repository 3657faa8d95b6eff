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

export type ArrivingVideos = ReturnType<typeof arrivingIn>

/** A complete file: no reader sees a part of it. */
export type ArrivingFile = { source: FileHandle; size: number }

/** A player that shows the video asks for more every few seconds. */
const wanted_ms = 60_000
const wanted_file = 'wanted'
const state_file = 'note'
const folder_pattern = /^[\w-]{1,80}\.\d{1,4}$/

/** `folder`: the real path of the folder in which `.work` is. `writable`: the same, and throws while nothing can be written there. */
export function arrivingIn(folder: Promise<string>, writable = () => folder) {
  const placeOf = async (key: ArrivingKey, ...more: string[]) =>
    join(await folder, '.work', 'arriving', segment(key), ...more)

  const foldersOf = async (key: ArrivingKey) =>
    (await readdir(await placeOf(key)).catch(() => [])).filter(name => folder_pattern.test(name))

  return {
    /** Records that someone waits for this video, or watches it. */
    async want(key: ArrivingKey) {
      await writable()
      await mkdir(await placeOf(key), { recursive: true })
      const file = await placeOf(key, wanted_file)
      const now = new Date()
      await utimes(file, now, now).catch(() => writeFile(file, ''))
    },

    /** Whether someone has waited for this video, or watched it, within the last minute. */
    async isWanted(key: ArrivingKey) {
      const found = await stat(await placeOf(key, wanted_file)).catch(() => undefined)
      return found !== undefined && Math.abs(Date.now() - found.mtimeMs) < wanted_ms
    },

    /** Makes a new, empty folder for the segments of a run, and removes older ones of the same video. */
    async newFolder(key: ArrivingKey, claim: string) {
      await writable()
      const older = await foldersOf(key)
      const numbers = older.filter(name => name.startsWith(`${claim}.`)).map(name => Number(name.split('.')[1]))
      const made = await placeOf(key, `${claim}.${Math.max(0, ...numbers) + 1}`)
      await mkdir(made, { recursive: true })
      for (const name of older) await rm(await placeOf(key, name), { recursive: true, force: true })
      return made
    },

    /** Stores a small text beside the segments. The text replaces the text before. */
    async writeState(key: ArrivingKey, text: string) {
      await writable()
      await mkdir(await placeOf(key), { recursive: true })
      const written = await placeOf(key, `${state_file}.${crypto.randomUUID()}`)
      await writeFile(written, text)
      await rename(written, await placeOf(key, state_file))
    },

    readState: async (key: ArrivingKey) => readFile(await placeOf(key, state_file), 'utf8').catch(() => undefined),

    /** The newest folder of segments; `undefined`: there is none. */
    newest: async (key: ArrivingKey) => newestOf(await placeOf(key), await foldersOf(key)),

    /** `undefined`: there is no such file. `folder`: as `newest` named it. The caller closes it. */
    open: async (key: ArrivingKey, folder: string, name: string) =>
      folder_pattern.test(folder) && /^[\w-]+\.\w+$/.test(name)
        ? openArriving(await placeOf(key, folder, name))
        : undefined,

    /** Removes what a run has made. */
    async forget(key: ArrivingKey, claim: string) {
      for (const name of await foldersOf(key))
        if (name.startsWith(`${claim}.`)) await rm(await placeOf(key, name), { recursive: true, force: true })
      await rm(await placeOf(key, state_file), { force: true })
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
