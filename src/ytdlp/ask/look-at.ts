/**
 * Finds out with one run of yt-dlp what an address is: a video with its facts, or a list; and which channel a video belongs to when nothing
 * else leads to its feed. Downloads nothing.
 */
import { DomainError } from '../../errors.ts'
import type { AddressPolicy } from '../../net/addresses.ts'
import { unlessAborted } from '../../runtime/turns.ts'
import type { LookedVideo, PlatformChannel } from '../../schema/sources/listing.ts'
import { hasControls, siteOf } from '../../schema/values/address.ts'
import { siteTitle } from '../../schema/values/stored.ts'
import { cleaned, type Failure, failures, unanswered } from '../failures/failure.ts'
import { errorListener, failureOf } from '../failures/read-error.ts'
import type { ToolFinder, Tools } from '../process/programs.ts'
import { lookArgumentsOf, ownerArgumentsOf } from './command.ts'
import { inQuickTurn, runHelper, toolsFor } from './helper.ts'
import { newMarkers, readMarked, readOwner } from './output.ts'
import { channelOfList, ListLine, lookedVideoOf, type VideoInfo, VideoLine } from './video-info.ts'

/** `count`: how many videos the list has; null: unknown. */
export type LookedList = { title: string | null; count: number | null; channel: PlatformChannel }

export type LookResult = { video: LookedVideo } | { list: LookedList } | { failure: Failure }

/** Rejects only when `signal` is aborted: with `unavailable` if its time was over before its turn came. */
export type VideoLooker = (request: {
  url: string
  signal: AbortSignal
  whose?: string | undefined
}) => Promise<LookResult>

type Options = { findTools: ToolFinder; policy: AddressPolicy }

export function createLooker({ findTools, policy }: Options): VideoLooker {
  return async ({ url, signal, whose = '' }) => {
    signal.throwIfAborted()
    const tools = await toolsFor(url, findTools, signal)
    if ('failure' in tools) return tools
    let has_begun = false
    const work = () => {
      has_begun = true
      return look(tools, policy, url, signal)
    }
    return inQuickTurn(whose, work, signal).catch((cause: unknown) => {
      throw isTimeout(cause) && !has_begun ? noTurn(cause) : cause
    })
  }
}

const isTimeout = (cause: unknown) => cause instanceof Error && cause.name === 'TimeoutError'

/** The site was not asked, so it is not to blame. */
const noTurn = (cause: unknown) =>
  new DomainError('unavailable', 'Too many links are being looked up right now. Try again in a minute.', {
    cause,
    retry_after_s: 60,
  })

async function look(tools: Tools, policy: AddressPolicy, url: string, signal: AbortSignal) {
  const markers = newMarkers()
  const errors = errorListener(url)
  let video: VideoLine | undefined
  let list: ListLine | undefined
  const ended = await runHelper({
    tools,
    policy,
    signal,
    longest_ms: 60_000,
    args: lookArgumentsOf({ url, version: tools.ytdlp.version, markers }),
    onLine(line) {
      errors.hear(line)
      video ??= readMarked(line, markers.video, VideoLine)
      // A list of lists is printed after the lists in it.
      list = readMarked(line, markers.list, ListLine) ?? list
    },
  })
  if ('failure' in ended) return ended
  const found = answerIn(video, list)
  const said = errors.said() || errors.warned()
  if (found && ('list' in found || isWatchable(video, found.video, said))) return found
  // A length that is named now is not the final one.
  if (found && isProcessed(said)) return { video: { ...found.video, duration_seconds: null } }
  if (ended.stopped) return { failure: { ...failures[unanswered(ended)], detail: cleaned(said) } }
  if (said) return { failure: failureOf({ said, site: siteOf(url) }) }
  if (!ended.could_start) return { failure: failures.not_started }
  // What breaks yt-dlp itself says nothing about the video.
  const failure = ended.exit === 0 ? failures.no_file : failures.unknown
  return { failure: { ...failure, detail: `yt-dlp ended with ${ended.exit} and named no format` } }
}

type LookAnswer = { video: LookedVideo } | { list: LookedList }

/** Some sites call the only video of a page a list of one. The entry of such a list was read like a video. */
function answerIn(video: VideoLine | undefined, list: ListLine | undefined): LookAnswer | undefined {
  const is_video = video && video.info._type !== 'url' && (!list || list.info.playlist_count === 1)
  const looked = is_video ? lookedVideoOf(video) : undefined
  if (looked) return { video: looked }
  return list && { list: { title: listTitleOf(list), count: countOf(list), channel: channelOfList(list) } }
}

/** yt-dlp also describes a video that it may not watch. An announced video has no format yet. */
const isWatchable = (line: VideoLine | undefined, { live_status }: LookedVideo, said: string): boolean =>
  line?.format != null ||
  line?.info.url != null ||
  (live_status === 'upcoming' && failureOf({ said }).reason === 'premiere')

/** A live stream has ended, for example, and has no format until its recording is ready. */
const isProcessed = (said: string): boolean => failureOf({ said }).reason === 'processing'

/** YouTube's tabs are called "Channel - Videos". */
const listTitleOf = ({ info }: ListLine): string | null =>
  siteTitle(info.id != null && info.id === info.channel_id ? (info.channel ?? info.title) : info.title)

const countOf = ({ info: { playlist_count } }: ListLine): number | null =>
  playlist_count != null && Number.isInteger(playlist_count) && playlist_count >= 0 ? playlist_count : null

/**
 * The pages of the channel that a video or a list belongs to, the most certain first; empty when it is unknown.
 * `not_ready`: the tools are missing or still being looked for. Rejects only when `signal` is aborted.
 */
type OwnerFinder = (url: string, signal: AbortSignal, whose?: string) => Promise<string[] | 'not_ready'>

export function createOwnerFinder({ findTools, policy }: Options): OwnerFinder {
  return async (url, signal, whose = '') => {
    if (!/^https?:\/\//i.test(url) || hasControls(url)) return []
    const tools = await unlessAborted(findTools(), signal).catch((fault: unknown) => {
      if (!signal.aborted) throw fault
    })
    if (!tools || 'missing' in tools) return 'not_ready'
    signal.throwIfAborted()
    return pagesOf(await inQuickTurn(whose, () => readOwners(tools, policy, url, signal), signal))
  }
}

async function readOwners(tools: Tools, policy: AddressPolicy, url: string, signal: AbortSignal) {
  const owners: VideoInfo[] = []
  const markers = newMarkers()
  const ended = await runHelper({
    tools,
    policy,
    signal,
    longest_ms: 15_000,
    args: ownerArgumentsOf(url, tools.ytdlp.version, markers),
    onLine(line) {
      const owner = readOwner(line, markers)
      if (owner) owners.push(owner)
    },
  })
  return 'failure' in ended ? [] : owners
}

/** YouTube's channel id is more certain than its address, which may be a handle. */
function pagesOf(owners: VideoInfo[]): string[] {
  const pages = owners.flatMap(({ extractor_key, channel_id, channel_url, uploader_url, playlist_channel_id }) => [
    ...[channel_id, playlist_channel_id].map(id =>
      /^youtube/i.test(extractor_key ?? '') && id ? `https://www.youtube.com/channel/${id}` : undefined,
    ),
    channel_url,
    uploader_url,
  ])
  return [
    ...new Set(pages.flatMap(page => page ?? []).filter(page => /^https?:$/.test(URL.parse(page)?.protocol ?? ''))),
  ]
}
