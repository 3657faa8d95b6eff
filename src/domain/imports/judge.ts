/**
 * Judges one file: which video it is, how sure that is, and whether the person has the video already. Pure. `plan.ts` finds videos that are
 * in the folder twice.
 */
import type { Download } from '../../schema/downloads/download.ts'
import type { FileFacts } from '../../schema/sources/facts.ts'
import { bytesWords } from '../../schema/values/words.ts'
import { listedVideo, type VideoAddress, videoOf } from './addresses.ts'
import type { NamedId } from './file-names.ts'
import type { MetadataSource } from './metadata.ts'
import type { RawPath } from './raw-path.ts'

/** What was read of a file. The files next to it are read again when it is imported, because their texts are long. */
export type FoundFile = {
  path: RawPath
  size: number
  modified_ms: number
  is_sound: boolean
  /** Why the file cannot be a video, as a sentence. */
  problem: string | null
  /** The videos that its tags and the files next to it name; `seconds`: how long it says the video is. */
  named: ({ from: MetadataSource; seconds: number | null } & VideoAddress)[]
  /** Identifiers in its name, the likeliest first. */
  ids: NamedId[]
  /** The library has a file of this size for the video that it seems to be, so ffprobe was not asked about it. */
  is_in_library: boolean
  /** Its folder has the name of a channel. */
  in_channel: boolean
  /** Most files of its folder have an identifier in their names (`haveIds`). */
  among_ids: boolean
  /** Its own texts, cut, by names in lower case. */
  tags: Record<string, string>
  /** What ffprobe says about the file itself. Null: ffprobe could not read it. */
  media: {
    conversion: 'keep' | 'remux' | 'transcode'
    loses_nothing: boolean
    seconds: number | null
    in_file: FileFacts
    height: number
  } | null
  /** Subtitles next to it. */
  subtitles: { name: RawPath; language: string | null }[]
}

/** `doubtful` with a video: it can be imported if a person wants it. */
export type Verdict = 'recognised' | 'doubtful' | 'duplicate' | 'imported'
export type Judgement = { verdict: Verdict; reason: string; video: VideoAddress | null }

export type KnownVideo = Pick<Download, 'download_status' | 'file_size'>
export type JudgingContext = {
  /** The keys of the lines of lists of downloads (`downloadKeyIn`). */
  listed: ReadonlySet<string>
  /** Videos of the person's library. */
  known: ReadonlyMap<string, KnownVideo>
}

export function judge(file: FoundFile, against: JudgingContext): Judgement {
  const { verdict, reason, video } = identified(file, against)
  const known = video && against.known.get(video.video_id)
  if (verdict === 'doubtful' || known?.download_status !== 'completed') return { verdict, reason, video }
  if (known.file_size === file.size) return { verdict: 'imported', reason: 'The library has this file already.', video }
  const size = known.file_size === null ? '' : ` of ${bytesWords(known.file_size)}`
  return { verdict: 'duplicate', reason: `The library has a file of this video already${size}.`, video }
}

type Identification = Judgement & { verdict: 'recognised' | 'doubtful' }

const doubtful = (reason: string, video: VideoAddress | null = null): Identification => ({
  verdict: 'doubtful',
  reason,
  video,
})

function identified(file: FoundFile, against: JudgingContext): Identification {
  if (file.problem !== null) return doubtful(file.problem)
  if (file.media === null && !file.is_in_library)
    return doubtful('ffprobe finds no video or sound in it. It may be damaged.')
  const by_name = byName(file, against)
  const [first, ...others] = file.named
  if (!first) return byNameAlone(by_name, file)
  const other = others.find(({ video_id }) => video_id !== first.video_id)
  if (other) return doubtful(`${naming(first)} ${first.video_url}, but ${lower(naming(other))} ${other.video_url}.`)
  const video = { video_id: first.video_id, video_url: first.video_url }
  const contradicting = by_name.confirmed.find(({ video_id }) => video_id !== video.video_id)
  const is_named = by_name.confirmed.some(({ video_id }) => video_id === video.video_id)
  if (contradicting && !is_named)
    return doubtful(`${naming(first)} ${first.video_url}, but the name of the file has the id of another video.`)
  const seconds = file.named.find(({ seconds }) => seconds !== null)?.seconds ?? null
  const missing = tooShort(file.media?.seconds ?? null, seconds)
  if (missing) return doubtful(missing, video)
  return { verdict: 'recognised', reason: `${naming(first)} the video.`, video }
}

const nothing_known =
  'Nothing says which video it is. Put an id of YouTube into its name, as in “Title [id].mp4”, or its .info.json next to it.'

const naming = ({ from }: { from: MetadataSource }) => (from === 'tags' ? 'Its tags name' : `Its ${from} names`)
const lower = (sentence: string) => sentence.charAt(0).toLowerCase() + sentence.slice(1)

/** Confirmed: a second source has the same identifier. */
type ByName = { confirmed: (VideoAddress & { by: string })[]; others: VideoAddress[] }

function byName({ ids, in_channel, among_ids }: FoundFile, { listed, known }: JudgingContext): ByName {
  const confirmed: ByName['confirmed'] = []
  const others: VideoAddress[] = []
  for (const { id, by } of ids) {
    const in_list = listedVideo(id, listed)
    const video = in_list ?? videoOf('youtube', id)
    if (!video) continue
    if (in_list) confirmed.push({ ...video, by: 'a list of downloads has it' })
    else if (known.has(video.video_id)) confirmed.push({ ...video, by: 'the library has this video' })
    else if (by === 'site') confirmed.push({ ...video, by: 'says that it is one of YouTube' })
    // The folder confirms the site, and not that a part of the name is an id.
    else if (in_channel && by === 'shape') confirmed.push({ ...video, by: 'the folder has the id of a channel' })
    else if (among_ids && (by === 'shape' || by === 'place'))
      confirmed.push({ ...video, by: 'most files of its folder have an id' })
    else if (by !== 'words') others.push(video)
  }
  return { confirmed, others }
}

function byNameAlone({ confirmed, others }: ByName, { ids }: FoundFile): Identification {
  const [sure, ...more] = confirmed
  if (sure && more.length === 0) {
    const { by, ...video } = sure
    return { verdict: 'recognised', reason: `Its name has the id of the video, and ${by}.`, video }
  }
  if (sure) return doubtful('Its name has the ids of several videos.')
  const [likely, ...unlikely] = others
  if (!likely && ids.some(({ by }) => by !== 'words'))
    return doubtful(
      'Its name has an id, but nothing says of which site. Name a list of downloads that has it (--archive).',
    )
  if (!likely) return doubtful(nothing_known)
  if (unlikely.length > 0) return doubtful('Its name has several parts that may be the id of a video.')
  return doubtful(
    `Its name may have the id ${likely.video_id}, but nothing confirms it. If it is right, use --doubtful, or name a list of downloads that has it (--archive).`,
    likely,
  )
}

/** Parts that were cut out, such as advertising, make a file shorter, but hardly by half. */
function tooShort(seconds: number | null, expected: number | null): string | undefined {
  if (seconds === null || expected === null || seconds >= expected / 2) return undefined
  return `It is ${Math.round(seconds)} seconds long, and the video is ${expected}. It may be incomplete.`
}

/** The identifiers of all videos that the file may be, to look up in the library. */
export const possibleIds = ({ named, ids }: FoundFile, listed: JudgingContext['listed']): string[] => [
  ...named.map(({ video_id }) => video_id),
  ...ids.flatMap(({ id }) => (listedVideo(id, listed) ?? videoOf('youtube', id))?.video_id ?? []),
]

/**
 * Whether the first of two files of one video is better: the surer one, a video rather than its sound, the larger picture, the larger file.
 */
export function isBetter(a: Ranked, b: Ranked): boolean {
  const [left, right] = [rankOf(a), rankOf(b)]
  const at = left.findIndex((value, n) => value !== right[n])
  return at !== -1 && (left[at] ?? 0) > (right[at] ?? 0)
}

export type Ranked = Pick<FoundFile, 'is_sound' | 'media' | 'size'> & Pick<Judgement, 'verdict'>
const rankOf = ({ verdict, is_sound, media, size }: Ranked) => [
  Number(verdict === 'recognised'),
  Number(!is_sound),
  media?.height ?? 0,
  size,
]
