/**
 * Downloads one video into one folder with yt-dlp, and returns an MP4 or M4A with its subtitles. yt-dlp connects only through
 * the egress proxy. Its output becomes progress or a failure.
 */
import { lstat, realpath, rm, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { AddressPolicy } from '../../net/addresses.ts'
import { openEgressProxy } from '../../net/egress-proxy.ts'
import { hasControls } from '../../schema/address.ts'
import type { Progress } from '../../schema/download.ts'
import type { FileWords } from '../../schema/file-words.ts'
import type { Quality } from '../../schema/quality.ts'
import type { SubtitleFile } from '../../schema/subtitles.ts'
import { arrivalOf } from './arriving.ts'
import { cleaned } from './clean-text.ts'
import { argumentsOf, info_file } from './command.ts'
import type { Arriving, CoverFetcher, DownloadContext } from './download-context.ts'
import { environment, proxied } from './environment.ts'
import { addExtras, type FoundVideo } from './extras.ts'
import { diskFailure, type Failure, failures } from './failure.ts'
import { failureAfter, failureOfFile } from './failure-after.ts'
import { newMarkers, readLine } from './line.ts'
import { makePlayable } from './playable.ts'
import { type Probe, probeFile } from './probe-file.ts'
import { runTool } from './process.ts'
import { emptyTally, tallied } from './progress.ts'
import { errorListener } from './read-error.ts'
import type { Tools } from './tools.ts'

/** Fetches `url` into `folder` as an MP4, or as an M4A for the quality `audio`. Rejects only when `signal` is aborted. */
export type Downloader = (request: {
  url: string
  /** The default is `best`. */
  quality?: Quality | undefined
  /** Also a recording that its site still processes. The default is not. */
  takes_unfinished?: boolean
  /** Written into the file where its site says nothing about it. */
  words?: FileWords
  folder: string
  signal: AbortSignal
  onProgress(progress: Progress): void
  /** Absent: it can be watched only when it is complete. */
  arriving?: Arriving | undefined
}) => Promise<Downloaded | { failure: Failure }>

/**
 * `subtitles`: as separate files; the video file contains those that people wrote as well. `about`: the facts that yt-dlp found on the way. `words_hash`:
 * the digest of the person's own words that the file contains (`wordsHash`); absent: the file contains only what its site says.
 */
export type Downloaded = {
  file: string
  file_size: number
  subtitles?: SubtitleFile[]
  about?: FoundVideo | undefined
  words_hash?: string | undefined
}

export type DownloaderOptions = {
  tools: Tools
  policy: AddressPolicy
  /** Absent: files get no covers. */
  fetchPicture?: CoverFetcher
  /** yt-dlp is stopped when it prints nothing for this long. Joining and converting may take ten times as long. */
  silence_ms?: number
  /** The longest run. The queue would start a job a second time after four hours. */
  longest_ms?: number
}

export function createDownloader({
  tools,
  policy,
  fetchPicture,
  silence_ms = 120_000,
  longest_ms = 3 * 3_600_000,
}: DownloaderOptions): Downloader {
  return async ({ url, quality = 'best', takes_unfinished = false, words, folder, signal, onProgress, arriving }) => {
    let arrival: Arrival | undefined
    try {
      signal.throwIfAborted()
      if (!/^https?:\/\//i.test(url))
        return { failure: { ...failures.not_a_web_address, detail: cleaned(url.slice(0, 200)) } }
      // Rows saved before such addresses were refused may still contain one.
      if (hasControls(url)) return { failure: failures.unfit_address }
      const deadline = Date.now() + longest_ms
      const real = await realpath(folder)
      const context: DownloadContext = {
        tools,
        policy,
        fetchPicture,
        quality,
        takes_unfinished,
        folder: real,
        signal,
        silence_ms,
        deadline,
        onProgress,
        arriving,
      }
      arrival = arrivalOf(context)
      const fetched = await fetchVideo(context, url, arrival)
      if ('failure' in fetched) return fetched
      const onWork = () => onProgress({ ...fetched.progress, phase: 'processing' })
      // Speed and remaining time belonged to the download.
      const converting = { ...fetched.progress, phase: 'converting' as const, speed: null, eta_seconds: null }
      const onConversion = (percent: number | null) => onProgress({ ...converting, percent })
      const made = await makePlayable(context, fetched.file, onConversion, await fetched.probe)
      if ('failure' in made) return { failure: await failureOfFile(made.failure, url, real) }
      const extras = await addExtras(context, made.file, words, onWork)
      return { file: made.file, file_size: (await stat(made.file)).size, ...extras }
    } catch (cause) {
      signal.throwIfAborted()
      return { failure: diskFailure(cause) ?? { ...failures.unknown, detail: cleaned(String(cause)) } }
    } finally {
      // The caller then moves or removes the folder.
      await arrival?.stop()
    }
  }
}

type Arrival = ReturnType<typeof arrivalOf>

/** `probe`: of the file; it begins while yt-dlp is still ending. */
type Fetched = { file: string; progress: Progress; probe: Promise<Probe | undefined> } | { failure: Failure }

async function fetchVideo(context: DownloadContext, url: string, arrival: Arrival): Promise<Fetched> {
  const refused = new AbortController()
  const proxy = await openEgressProxy(context.policy, () => refused.abort())
  try {
    const signal = AbortSignal.any([context.signal, refused.signal])
    return await runYtdlp({ ...context, signal }, url, proxy.url, arrival)
  } catch (cause) {
    // yt-dlp would request the refused address a dozen times more, so it was stopped. No site can cause the proxy's
    // callback, so it distinguishes the proxy's refusal from a site's own 403.
    if (refused.signal.aborted && !context.signal.aborted) return { failure: failures.refused_address }
    throw cause
  } finally {
    await proxy.close()
  }
}

async function runYtdlp(context: DownloadContext, url: string, proxy_url: string, arrival: Arrival): Promise<Fetched> {
  const { tools, quality, takes_unfinished, folder, silence_ms } = context
  let tally = emptyTally
  let final: { path: string; probe: Promise<Probe | undefined> } | undefined
  const errors = errorListener(url)
  let live: string | null | undefined
  const markers = newMarkers()
  const onLine = (text: string) => {
    errors.hear(text)
    const line = readLine(text, markers)
    if (!line) return
    if (line.kind === 'done') final = { path: line.filepath, probe: probeEarly(context, line.filepath) }
    if (line.kind === 'live') live = line.status
    if (line.kind === 'plan') arrival.begin(line.plan)
    tally = tallied(tally, line)
    context.onProgress(tally.progress)
  }
  // yt-dlp would keep the info file of an earlier attempt, whose addresses are out of date.
  await rm(join(folder, info_file), { force: true })
  const ended = await runTool({
    command: [...tools.leash, ...tools.ytdlp.command],
    args: argumentsOf({
      ...{ url, quality, takes_unfinished, folder, markers },
      ...{ ffmpeg: tools.ffmpeg, version: tools.ytdlp.version },
    }),
    cwd: folder,
    env: { ...(await environment(tools, folder)), ...tools.ytdlp.env, ...proxied(proxy_url) },
    signal: context.signal,
    silence_ms: () => (/^(merging|processing)$/.test(tally.progress.phase) ? silence_ms * 10 : silence_ms),
    longest_ms: context.deadline - Date.now(),
    onLine,
  })
  // yt-dlp also exits with 0 when its filter excludes the video, and then there is no file.
  const file = ended.exit_code === 0 && final ? await fileInside(folder, final.path) : undefined
  if (file && final) return { file, progress: tally.progress, probe: final.probe }
  return { failure: failureAfter(ended, { url, last_error: errors.said(), live }) }
}

/** The file is complete: yt-dlp prints its path after the last step. */
function probeEarly(context: DownloadContext, path: string): Promise<Probe | undefined> {
  const probe = fileInside(context.folder, path).then(file =>
    file === undefined ? undefined : probeFile(context.tools, { ...context, file }),
  )
  // If yt-dlp fails after all, its result is not used.
  probe.catch(() => {})
  return probe
}

/** The file's real path; `undefined` when it is empty, no regular file, or outside the folder that yt-dlp was given. */
async function fileInside(folder: string, path: string): Promise<string | undefined> {
  const real = await realpath(path).catch(() => undefined)
  if (!real?.startsWith(folder + sep)) return undefined
  const { size } = await lstat(real)
  return size > 0 && (await lstat(path)).isFile() ? real : undefined
}
