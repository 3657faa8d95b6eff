/**
 * Cuts the sound out of one stored film and puts it beside the film. Nothing is stored before the last step, so a worker may end at any
 * moment. Records why a film has no sound.
 */
import { join } from 'node:path'
import { filmsWithSound } from '../../db/downloads/everyone/sounds.ts'
import type { Film } from '../../db/downloads/sounds.ts'
import type { Everyone } from '../../db/everyone.ts'
import type { Library } from '../../db/library.ts'
import { closeSource } from '../../runtime/sending.ts'
import { copyFrom, type Files, type Staged } from '../../store/files.ts'
import { soundPath } from '../../store/paths.ts'
import { type CutResult, cutSound } from '../../ytdlp/convert/cut-sound.ts'
import type { ToolFinder, Tools } from '../../ytdlp/process/programs.ts'
import { recordSpace } from '../notifications/nearly-full.ts'
import { lackOfDisk, overQuota, quotaSentence, type RoomLimits } from './room.ts'

type CutParts = {
  library: Library
  files: Files
  findTools: ToolFinder
  room: RoomLimits
  /** Absent: sounds of other people are not used. */
  sharing?: Everyone | undefined
  signal: AbortSignal
}

/** Seconds until what failed for a passing reason, such as a full disk, may be tried again. */
const retry_s = 3600

/** Does nothing if there is nothing to cut, or if the tools are missing. Throws while the storage is away. */
export async function cutSoundOf(parts: CutParts, video_id: string): Promise<void> {
  const { library, files, findTools } = parts
  const film = await library.sounds.wanted(video_id)
  if (!film) return
  const tools = await findTools()
  if ('missing' in tools) return
  const run = { user_id: library.user_id, video_id, claim: `sound-${crypto.randomUUID()}` }
  try {
    const folder = await files.workFolder(run)
    const shared = await copyOfShared(parts, film, folder)
    if (shared) return await keep(parts, film, shared)
    const cut = await cutIn(parts, film, tools, folder)
    if (cut === 'gone') return
    if ('fault' in cut) return await library.sounds.refuse(film, cut.fault, cut.is_final ? null : retry_s)
    const { signal } = parts
    await keep(parts, film, await files.stage(cut.file, soundPath(film.download_path), [], { signal }))
  } finally {
    await files.forgetWork(run)
  }
}

/** The bins are not emptied for a sound: files that can be restored are worth more. */
async function cutIn(
  { library, files, room, signal }: CutParts,
  film: Film,
  tools: Tools,
  folder: string,
): Promise<CutResult | 'gone'> {
  const lackOfRoom = async (bytes: number) =>
    (await lackOfDisk({ files, room }, Math.min(bytes, film.film_size)))?.sentence
  const over = await overQuota({ library, room }, film.video_id, film.film_size + 1)
  if (over) return { fault: over.sentence, is_final: false }
  const local = await files.localPath(film.download_path)
  const no_room = local === undefined ? (await lackOfDisk({ files, room }, film.film_size))?.sentence : undefined
  if (no_room !== undefined) return { fault: no_room, is_final: false }
  const file = local ?? (await copyFrom(files, film.download_path, join(folder, 'film'), { signal }))
  return file === undefined ? 'gone' : cutSound({ tools, film: file, folder, signal, lackOfRoom })
}

async function keep({ library, room }: CutParts, film: Film, staged: Staged): Promise<void> {
  const kept = await library.sounds.keep(film, staged.file_size, room.quota_bytes, staged.put)
  if (kept === 'kept') await recordSpace(library, room.quota_bytes)
  else await staged.drop()
  if (kept === 'over_quota')
    await library.sounds.refuse(film, quotaSentence((await library.space.quota(room.quota_bytes)) ?? 0), retry_s)
}

/**
 * Copies the sound that was cut out of the same file for another person; a storage that can link keeps one file for both. Films with equal
 * tags are one file. In a storage that gives each copy its own tag, each sound is cut.
 */
async function copyOfShared(
  { library, files, sharing, room, signal }: CutParts,
  film: Film,
  folder: string,
): Promise<Staged | undefined> {
  const paths = sharing ? await filmsWithSound(sharing, library.user_id, film) : []
  const tag = paths.length > 0 ? await tagOf(files, film.download_path) : undefined
  const hasRoomFor = async (bytes: number) => (await lackOfDisk({ files, room }, bytes)) === undefined
  for (const path of paths) {
    if (tag === undefined || (await tagOf(files, path)) !== tag) continue
    const from = { download_path: soundPath(path), languages: [] }
    const staged = await files.stageCopy(from, soundPath(film.download_path), folder, { hasRoomFor, signal })
    // The other person may have deleted the film, and downloaded another one to the same place, before the copy.
    if (staged && (await tagOf(files, path)) === tag) return staged
    await staged?.drop()
  }
  return undefined
}

async function tagOf(files: Files, path: string): Promise<string | undefined> {
  const open = await files.open(path)
  if (open) await closeSource(open.source)
  return open?.etag
}
