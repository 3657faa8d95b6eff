/**
 * Plans an import: reads every file of a folder, judges it, and finds the videos that the folder has twice. Changes nothing. What was read
 * is on the disk, because a list of downloads and the better one of two files may be found last.
 */
import { open } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { Library } from '../../db/library.ts'
import { downloadKeyIn } from './addresses.ts'
import { type FoundFile, isBetter, type Judgement, judge, type KnownVideo, possibleIds, type Ranked } from './judge.ts'
import { type RawPath, shownPath } from './raw-path.ts'
import { type ReadingParts, readFound, smallText } from './read-found-file.ts'
import { type FolderItem, walk } from './walk.ts'

export type PlannedFile = FoundFile & Judgement

export type Plan = {
  /** In the order of the folder. May be read again. */
  files(): AsyncGenerator<PlannedFile>
  close(): Promise<void>
  /** Files of other kinds. */
  left_out: number
  /** Folders and lists of downloads. */
  unreadable: { path: RawPath; sentence: string }[]
}

/** What the folder has besides films and sounds. */
type Rest = Pick<Plan, 'left_out' | 'unreadable'>

type PlanParts = ReadingParts & {
  library: Library
  /** The real path of the folder. */
  folder: RawPath
  /** Folders of the service, as `folderKey` names them. */
  own: ReadonlySet<string>
  /** Lists of downloads that are elsewhere. */
  download_lists: RawPath[]
  onRead(count: number): void
}

/** How many folders and lists that cannot be read are shown. */
const max_unreadable = 1000
/** Videos that are looked up in the library at once. */
const batch = 500

/** Rejects when `signal` is aborted. */
export async function planImport(planning: PlanParts): Promise<Plan> {
  const { scratch, library } = planning
  const read = await openSpool<FoundFile>(join(scratch, 'read'))
  const judged = await openSpool<PlannedFile>(join(scratch, 'judged'))
  const listed = new Set<string>()
  const rest: Rest = { left_out: 0, unreadable: [] }
  for (const path of planning.download_lists) await readDownloadList(path, listed, rest)
  await readAll(planning, read, listed, rest)
  const best = new Map<string, BestFile>()
  let at = 0
  for await (const files of inBatches(read.items(), batch)) {
    const ids = files.flatMap(file => possibleIds(file, listed))
    const known = await knownAmong(library, ids)
    for (const file of files) {
      const planned = { ...file, ...judge(file, { listed, known }) }
      keepBetter(best, planned, at++)
      await judged.add(planned)
    }
  }
  await read.close()
  return { ...rest, files: () => withoutDoubles(judged, best), close: judged.close }
}

async function readAll(planning: PlanParts, read: Spool<FoundFile>, listed: Set<string>, rest: Rest): Promise<void> {
  async function* media() {
    for await (const found of walk(planning.folder, planning.own)) {
      planning.signal.throwIfAborted()
      if (found.kind === 'media') yield found
      else await recordOther(found, rest, listed)
    }
  }
  let count = 0
  // ffprobe takes most of the time of a plan.
  const isInLibrary = async (file: FoundFile) => {
    const known = await knownAmong(planning.library, possibleIds(file, listed))
    return known.values().some(video => video.download_status === 'completed' && video.file_size === file.size)
  }
  const readOne = (found: Parameters<typeof readFound>[2]) => readFound(planning, isInLibrary, found)
  for await (const file of inOrder(media(), availableParallelism(), readOne)) {
    await read.add(file)
    planning.onRead(++count)
  }
}

type OtherItem = Exclude<FolderItem, { kind: 'media' }>

async function recordOther(found: OtherItem, rest: Rest, listed: Set<string>) {
  if (found.kind === 'left_out') rest.left_out += found.count
  else if (found.kind === 'list') await readDownloadList(found.path, listed, rest)
  else recordUnreadable(rest, found)
}

function recordUnreadable({ unreadable }: Rest, { path, sentence }: Rest['unreadable'][number]): void {
  if (unreadable.length < max_unreadable) unreadable.push({ path, sentence })
}

/** The lines of a million downloads. */
const max_list_bytes = 32 * 1024 * 1024

async function readDownloadList(path: RawPath, listed: Set<string>, rest: Rest): Promise<void> {
  const text = await smallText(path, max_list_bytes)
  if (text === undefined) {
    const sentence =
      'This list of downloads cannot be read, or is larger than 32 MiB. Check its permissions, or divide it.'
    return recordUnreadable(rest, { path, sentence })
  }
  for (const line of text.split('\n')) {
    const key = downloadKeyIn(line)
    if (key !== undefined) listed.add(key)
  }
}

async function knownAmong(library: Library, video_ids: string[]): Promise<Map<string, KnownVideo>> {
  const found = await library.videos.statuses([...new Set(video_ids)])
  return new Map(found.map(({ video_id, download_status, file_size }) => [video_id, { download_status, file_size }]))
}

/** The best file of a video so far; `at`: its place in the list. */
type BestFile = Ranked & { at: number; path: RawPath }

const haveOneLength = (a: Ranked, b: Ranked): boolean => {
  const [shorter = 0, longer = 0] = [a.media?.seconds ?? 0, b.media?.seconds ?? 0].sort((a, b) => a - b)
  return shorter === 0 || longer - shorter <= Math.max(5, longer / 10)
}

const isImportable = ({ verdict }: Judgement) => verdict === 'recognised' || verdict === 'doubtful'

function keepBetter(best: Map<string, BestFile>, planned: PlannedFile, at: number): void {
  const { verdict, video, is_sound, media, size, path } = planned
  if (!video || !isImportable(planned)) return
  const file = { verdict, is_sound, media, size, at, path }
  const known = best.get(video.video_id)
  if (!known || isBetter(file, known)) best.set(video.video_id, file)
}

async function* withoutDoubles(judged: Spool<PlannedFile>, best: Map<string, BestFile>): AsyncGenerator<PlannedFile> {
  let at = 0
  for await (const file of judged.items()) {
    const better = file.video && isImportable(file) ? best.get(file.video.video_id) : undefined
    const is_double = better !== undefined && better.at !== at
    at += 1
    if (!is_double) yield file
    // An id in a name may be a mistake, and then this is another video.
    else if (file.named.length === 0 && !haveOneLength(file, better)) yield { ...file, ...unlike(better) }
    else
      yield {
        ...file,
        verdict: 'duplicate',
        reason: `${shownPath(better.path)} is the same video, and is imported instead.`,
      }
  }
}

const unlike = ({ path }: BestFile): Judgement => ({
  verdict: 'doubtful',
  reason: `Its name has the same id as ${shownPath(path)}, but it is not as long.`,
  video: null,
})

/** Calls `work` for `at_once` items at once, and yields the results in the order of the items. */
async function* inOrder<Item, Result>(
  items: AsyncIterable<Item>,
  at_once: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const running: Promise<Result>[] = []
  try {
    for await (const item of items) {
      const begun = work(item)
      // The work is awaited below. Until then, its fault must not end the process.
      begun.catch(() => {})
      running.push(begun)
      const [first] = running
      if (first && running.length >= at_once) {
        running.shift()
        yield await first
      }
    }
    for (const begun of running.splice(0)) yield await begun
  } finally {
    await Promise.allSettled(running)
  }
}

/** Yields the items in arrays of `size` items. */
async function* inBatches<Item>(items: AsyncIterable<Item>, size: number): AsyncGenerator<Item[]> {
  let batch: Item[] = []
  for await (const item of items) {
    batch.push(item)
    if (batch.length < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** A list on the disk, so that an import of 100,000 files needs little memory: one line of JSON for each item. */
type Spool<Item> = {
  add(item: Item): Promise<void>
  /** All items so far, in their order. */
  items(): AsyncGenerator<Item>
  close(): Promise<void>
}

/** Characters that are held until they are written. */
const held_characters = 64 * 1024

async function openSpool<Item>(path: string): Promise<Spool<Item>> {
  const handle = await open(path, 'wx+', 0o600)
  let held = ''
  const flush = async () => {
    const text = held
    held = ''
    if (text !== '') await handle.appendFile(text)
  }
  return {
    async add(item) {
      held += `${JSON.stringify(item)}\n`
      if (held.length > held_characters) await flush()
    },
    async *items() {
      await flush()
      const reading = await open(path, 'r')
      try {
        for await (const line of reading.readLines()) yield JSON.parse(line) as Item
      } finally {
        await reading.close().catch(() => {})
      }
    },
    close: () => handle.close(),
  }
}
