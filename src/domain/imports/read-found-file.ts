/** Reads what is known of one file: its tags and streams, and the files next to it. `judge.ts` judges the file. */
import { constants } from 'node:fs'
import { access, lstat, open, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { anyTextOf } from '../../feed/markup/any-text.ts'
import { cut } from '../../schema/values/stored.ts'
import { factsIn, type Probe, probeFile } from '../../ytdlp/convert/ffmpeg.ts'
import { conversionOf, losesNothing } from '../../ytdlp/convert/playable.ts'
import type { Tools } from '../../ytdlp/process/programs.ts'
import { channelIn, idsIn } from './file-names.ts'
import type { FoundFile } from './judge.ts'
import { infoFileMetadata, type Metadata, namedVideo, nfoMetadata, tagMetadata, ytZeroMetadata } from './metadata.ts'
import { bytesOf, exactText, folderOf, nameOf, type RawPath, stemOf, textOf } from './raw-path.ts'
import type { FolderItem } from './walk.ts'

/** `scratch`: a folder for temporary files. */
export type ReadingParts = { tools: Tools; scratch: string; signal: AbortSignal }

type Media = Extract<FolderItem, { kind: 'media' }>

/**
 * `isInLibrary`: whether a file of this size is in the library for one of its possible videos; it spares ffprobe when an import is
 * repeated. Rejects when `signal` is aborted.
 */
export async function readFound(
  reading: ReadingParts,
  isInLibrary: (file: FoundFile) => Promise<boolean>,
  { path, is_sound, problem, subtitles, among_ids }: Media,
): Promise<FoundFile> {
  const name = textOf(nameOf(path))
  const found: FoundFile = {
    path,
    is_sound,
    problem,
    subtitles,
    size: 0,
    modified_ms: 0,
    named: [],
    tags: {},
    media: null,
    is_in_library: false,
    ids: idsIn(name),
    among_ids,
    in_channel: channelIn(textOf(nameOf(folderOf(path)))) !== undefined,
  }
  const file = await lstat(bytesOf(path)).catch(() => undefined)
  if (!file) return { ...found, problem: 'It was removed while the folder was read.' }
  const sized = { ...found, size: file.size, modified_ms: file.mtimeMs }
  if (problem !== null) return sized
  if (file.size === 0) return { ...sized, problem: 'It is empty.' }
  const fault = await access(bytesOf(path), constants.R_OK).catch((fault: NodeJS.ErrnoException) => fault)
  if (fault) return { ...sized, problem: `It cannot be read (${fault.code}).` }
  const beside = (await metadataBeside(path)).flatMap(namedIn)
  const known = { ...sized, named: beside, is_in_library: true }
  if (await isInLibrary(known)) return known
  const probe = await probed(reading, path)
  const tags = tagsOf(probe)
  const kept = [...tags].flatMap(([tag, text]) => (kept_tags.has(tag) ? [[tag, cut(text, max_tag_characters)]] : []))
  const named = [...beside, ...namedIn(tagMetadata(tags))]
  return { ...sized, named, tags: Object.fromEntries(kept), ...(await mediaOf(path, probe, is_sound)) }
}

function namedIn(metadata: Metadata): FoundFile['named'] {
  const video = namedVideo(metadata)
  return video ? [{ from: metadata.from, seconds: metadata.info.duration ?? null, ...video }] : []
}

/** Characters of a tag. Descriptions on YouTube have 5,000 at most. */
const max_tag_characters = 6000
const kept_tags = new Set(['title', 'artist', 'date', 'description', 'synopsis', 'purl', 'comment'])

/** `undefined`: ffprobe cannot read the file. */
export const probed = ({ tools, scratch, signal }: ReadingParts, path: RawPath): Promise<Probe | undefined> =>
  withTextPath(scratch, path, file => probeFile(tools, { file, folder: scratch, signal }))

/** Ogg has its tags in a stream. In other files, the tags of a stream are about one sound or one language. */
function tagsOf(probe: Probe | undefined): Map<string, string> {
  const { streams = [], format } = probe ?? {}
  const in_streams = format?.format_name === 'ogg' ? streams.flatMap(({ tags }) => [...tags]) : []
  return new Map([...in_streams, ...(format?.tags ?? [])])
}

async function mediaOf(
  path: RawPath,
  probe: Probe | undefined,
  is_sound: boolean,
): Promise<Pick<FoundFile, 'media' | 'is_sound'>> {
  if (!probe) return { media: null, is_sound }
  const file = bytesOf(path)
  const conversion = await conversionOf(file, probe, is_sound)
  // A video file that has only sound counts as a sound file.
  if (conversion === 'no_video' && !is_sound) return mediaOf(path, probe, true)
  if (conversion === 'no_video' || conversion === 'no_sound') return { media: null, is_sound }
  const height = Math.max(
    0,
    ...probe.streams.map(({ height, disposition }) => (disposition?.attached_pic ? 0 : (height ?? 0))),
  )
  const loses_nothing = conversion === 'keep' || losesNothing(conversion, probe)
  return {
    media: { conversion, loses_nothing, seconds: probe.format.duration ?? null, in_file: factsIn(probe), height },
    is_sound,
  }
}

const max_metadata_bytes = 32 * 1024 * 1024

/** The metadata in the files next to a video. The best source is first. */
export async function metadataBeside(path: RawPath): Promise<Metadata[]> {
  const stem = stemOf(path)
  const sources: Metadata[] = []
  for (const { extension, read } of sidecar_readers) {
    const text = await smallText(`${stem}${extension}`, max_metadata_bytes)
    const metadata = text === undefined ? undefined : read(text)
    if (metadata) sources.push(metadata)
  }
  return sources
}

const sidecar_readers = [
  { extension: '.info.json', read: infoFileMetadata },
  { extension: '.nfo', read: nfoMetadata },
  { extension: '.ytz.json', read: ytZeroMetadata },
]

/**
 * In any encoding; `language`: of its text, if that is known. `undefined`: it is missing, no regular file, unreadable, or larger than
 * `most` bytes.
 */
export async function smallText(path: RawPath, most: number, language?: string | null): Promise<string | undefined> {
  try {
    // A pipe would block until another process writes to it.
    const handle = await open(bytesOf(path), constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const file = await handle.stat()
      return file.isFile() && file.size <= most ? anyTextOf(await handle.readFile(), language) : undefined
    } finally {
      await handle.close()
    }
  } catch {
    return undefined
  }
}

/** Calls `work` with a path that a program can get as an argument: the file's own path, or the path of a link in `folder`. */
async function withTextPath<T>(folder: string, path: RawPath, work: (file: string) => Promise<T>): Promise<T> {
  const text = exactText(path)
  if (text !== undefined) return work(text)
  const link = join(folder, crypto.randomUUID())
  await symlink(bytesOf(path), link)
  try {
    return await work(link)
  } finally {
    await rm(link, { force: true })
  }
}
