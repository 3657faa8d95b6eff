/**
 * Lists the videos of a channel or playlist with yt-dlp, page by page, without requesting the videos. Entries are passed on as
 * they arrive, and yt-dlp waits while they are saved, so a list of any length takes the same memory.
 */
import type { AddressPolicy } from '../../net/addresses.ts'
import type { Reason } from '../../schema/downloads/run.ts'
import {
  batch_size,
  type ListedEntry,
  type ListingRequest,
  max_listed_videos,
  type PlatformChannel,
} from '../../schema/sources/listing.ts'
import { siteOf } from '../../schema/values/address.ts'
import { cleaned, type Failure, failed, failures } from '../failures/failure.ts'
import { errorListener, failureOf } from '../failures/read-error.ts'
import type { ToolFinder, Tools } from '../process/programs.ts'
import type { ToolEnd } from '../process/run-tool.ts'
import { listArgumentsOf } from './command.ts'
import { inLongListingTurn, inShortListingTurn, runHelper, toolsFor } from './helper.ts'
import { newMarkers, readMarked } from './output.ts'
import { channelOfEntry, channelOfList, ListLine, listedEntryOf, unknown_channel, VideoLine } from './video-info.ts'

/**
 * How a listing ended. `listed`: how many entries were passed on. `stopped`: by `isEnough`. Only a `complete` listing says
 * anything about videos that it did not list.
 */
export type ListingEnd = { listed: number; channel: PlatformChannel } & (
  | { end: 'complete' | 'stopped' }
  | { end: 'incomplete'; failure: Failure }
)

/** Rejects only when `signal` is aborted or `onEntries` fails. */
export type VideoLister = (request: ListingRequest) => Promise<ListingEnd>

type ListerOptions = {
  findTools: ToolFinder
  policy: AddressPolicy
  /** Seconds between two requests to the site. */
  pause_s?: number
  /** yt-dlp is stopped when it prints nothing for this long. */
  silence_ms?: number
  longest_ms?: number
}

/** A list of at most this length takes turns with other short ones, and does not wait for long listings. */
const short_list = 200

export function createLister(options: ListerOptions): VideoLister {
  return async request => {
    const { url, signal, whose = '', newest = max_listed_videos } = request
    signal.throwIfAborted()
    const tools = await toolsFor(url, options.findTools, signal)
    if ('failure' in tools) return unlisted(tools.failure)
    const inTurn = newest <= short_list ? inShortListingTurn : inLongListingTurn
    return inTurn(whose, siteOf(url) ?? '', () => readList(tools, options, request), signal)
  }
}

const unlisted = (failure: Failure): ListingEnd => ({ listed: 0, channel: unknown_channel, end: 'incomplete', failure })

async function readList(tools: Tools, options: ListerOptions, request: ListingRequest): Promise<ListingEnd> {
  const { url, signal } = request
  const most = Math.min(request.newest ?? max_listed_videos, max_listed_videos)
  const { policy, pause_s = 1, silence_ms = 120_000, longest_ms = 3 * 3_600_000 } = options
  const markers = newMarkers()
  const errors = errorListener(request.url)
  const reading = startReading(request)
  const onLine = (line: string) => {
    errors.hear(line)
    const video = readMarked(line, markers.video, VideoLine)
    if (video) return reading.take(video)
    const list = readMarked(line, markers.list, ListLine)
    if (list) reading.channel = channelOfList(list)
  }
  const stop = AbortSignal.any([signal, reading.stop_signal])
  const args = listArgumentsOf({ url, version: tools.ytdlp.version, markers, most, pause_s })
  try {
    const ended = await runHelper({
      kind: 'list' as const,
      tools,
      policy,
      args,
      longest_ms,
      onLine,
      signal: stop,
      silence_ms: () => silence_ms,
    })
    await reading.flush()
    if (reading.stop_signal.aborted) return { ...reading.sofar(), end: 'stopped' }
    return { ...reading.sofar(), ...endOf(ended, errors.said(), url, reading.lines(), request.newest) }
  } catch (cause) {
    if (!reading.stop_signal.aborted || signal.aborted) throw cause
    return { ...reading.sofar(), end: 'stopped' }
  }
}

/** Gathers entries into batches. */
function startReading({ onEntries, isEnough }: ListingRequest) {
  const stopping = new AbortController()
  let batch: ListedEntry[] = []
  let lines = 0
  let listed = 0
  const reading = {
    channel: unknown_channel,
    stop_signal: stopping.signal,
    lines: () => lines,
    sofar: () => ({ listed, channel: reading.channel }),
    take(video: VideoLine): Promise<void> | undefined {
      lines += 1
      if (reading.channel === unknown_channel) reading.channel = channelOfEntry(video)
      const entry = listedEntryOf(video)
      if (entry) batch.push(entry)
      return batch.length >= batch_size ? reading.flush() : undefined
    },
    async flush(): Promise<void> {
      if (batch.length === 0 || stopping.signal.aborted) return
      const entries = batch
      batch = []
      await onEntries(entries)
      listed += entries.length
      if (isEnough?.(entries)) stopping.abort()
    },
  }
  return reading
}

type End = { end: 'complete' } | { end: 'incomplete'; failure: Failure }

function endOf(
  ended: ToolEnd | { failure: Failure },
  said: string,
  url: string,
  lines: number,
  newest: number | undefined,
): End {
  if ('failure' in ended) return { end: 'incomplete', ...ended }
  // For example a channel without shorts.
  if (!ended.stopped && lines === 0 && /does not have a \S+ tab/.test(said)) return { end: 'complete' }
  if (ended.exit !== 0 || said !== '') return { end: 'incomplete', failure: listingFailure(ended, said, siteOf(url)) }
  if (newest === undefined && lines >= max_listed_videos) return { end: 'incomplete', failure: cutShort }
  return { end: 'complete' }
}

/**
 * Why a listing ended early, in a sentence about a list and not about one video. `said`: the line with yt-dlp's error, or nothing. If we
 * stopped yt-dlp, that is the reason, whatever it printed.
 */
export function listingFailure({ stopped, could_start, exit }: ToolEnd, said: string, site?: string): Failure {
  if (stopped) return { ...failures[stopped], ...interrupted, detail: cleaned(said) }
  if (said) return aboutList(failureOf({ said, site }), site ?? 'The site')
  if (!could_start) return failures.not_started
  return { ...failures.unknown, ...interrupted, detail: `yt-dlp ended with ${exit}` }
}

const interrupted = {
  kind: 'transient',
  sentence: 'The site stopped sending its list of videos. Try again later.',
} as const

function aboutList(failure: Failure, site: string): Failure {
  const sentence = sentences[failure.reason]
  return sentence === undefined ? failure : { ...failure, sentence: sentence.replace('{site}', site) }
}

const sentences: { [reason in Reason]?: string } = {
  not_found: '{site} has no such channel or list any more.',
  removed: '{site} has removed this channel or list.',
  unavailable: '{site} does not show the list of videos at the moment. Try again later.',
  private: '{site} shows this list only to its owner.',
  members: '{site} shows this list only to members.',
  sign_in: 'You need to be signed in on {site} to see this list.',
  bot_check: '{site} is asking for a bot check. Try again later.',
  unsupported: 'Our download tools cannot list the videos of this page.',
  unknown: '{site} did not send its list of videos, for an unknown reason.',
}

const cutShort = failed(
  'too_long',
  `This list has more than ${max_listed_videos.toLocaleString('en')} videos. The first ${max_listed_videos.toLocaleString('en')} are listed.`,
)
