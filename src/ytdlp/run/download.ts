/**
 * Downloads one video into one folder with yt-dlp, and hands back an MP4 or M4A with the subtitles there are.
 * Everything it may speak to goes through the egress proxy; everything it says becomes progress or a failure.
 */
import { lstat, realpath, rm, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { AddressPolicy } from '../../net/addresses.ts'
import { openEgressProxy } from '../../net/egress-proxy.ts'
import { hasControls, siteOf } from '../../schema/address.ts'
import type { Progress } from '../../schema/download.ts'
import type { Quality } from '../../schema/quality.ts'
import type { SubtitleFile } from '../../schema/subtitles.ts'
import type { Call } from './call.ts'
import { about_file, argumentsOf } from './command.ts'
import { addExtras } from './extras.ts'
import { type Failure, failureOf } from './failure.ts'
import { newMarkers, readLine } from './line.ts'
import { makePlayable } from './playable.ts'
import { type Ended, runTool } from './process.ts'
import { emptyTally, tallied } from './progress.ts'
import { environment, proxied } from './surroundings.ts'
import type { Tools } from './tools.ts'

/** Fetches `url` into `folder` as an MP4, or as an M4A where sound alone is wanted. Rejects only when `signal` is aborted. */
export type Downloader = (request: {
  url: string
  /** Not given: the best. */
  quality?: Quality | undefined
  folder: string
  signal: AbortSignal
  onProgress(progress: Progress): void
}) => Promise<Downloaded | { failure: Failure }>

/** `subtitles`: files of their own, beside what the video itself holds. */
export type Downloaded = { file: string; file_size: number; subtitles?: SubtitleFile[] }

export type DownloaderOptions = {
  tools: Tools
  policy: AddressPolicy
  /** Without a word from yt-dlp for so long it is stopped; joining and converting may take ten times as long. */
  silence_ms?: number
  /** A call that runs over four hours would be started a second time by the queue. */
  longest_ms?: number
}

export function createDownloader({
  tools,
  policy,
  silence_ms = 120_000,
  longest_ms = 3 * 3_600_000,
}: DownloaderOptions): Downloader {
  return async ({ url, quality = 'best', folder, signal, onProgress }) => {
    try {
      signal.throwIfAborted()
      if (!/^https?:\/\//i.test(url)) return { failure: failureOf({ said: `Unsupported URL: ${url.slice(0, 200)}` }) }
      // Rows that were saved before such addresses were refused may still hold one.
      if (hasControls(url)) return { failure: failureOf({ said: '', stopped: 'unfit_address' }) }
      const deadline = Date.now() + longest_ms
      const real = await realpath(folder)
      const call: Call = { tools, policy, quality, folder: real, signal, silence_ms, deadline, onProgress }
      const fetched = await fetchVideo(call, url)
      if ('failure' in fetched) return fetched
      const onWork = () => onProgress({ ...fetched.progress, phase: 'processing' })
      // Speed and time left were those of the download.
      const converting = { ...fetched.progress, phase: 'converting' as const, speed: null, eta_seconds: null }
      const made = await makePlayable(call, fetched.file, percent => onProgress({ ...converting, percent }))
      if ('failure' in made) return made
      const subtitles = await addExtras(call, made.file, onWork)
      return { file: made.file, file_size: (await stat(made.file)).size, subtitles }
    } catch (cause) {
      signal.throwIfAborted()
      return { failure: failureOf({ said: cause instanceof Error ? cause.message : String(cause) }) }
    }
  }
}

type Fetched = { file: string; progress: Progress } | { failure: Failure }

async function fetchVideo(call: Call, url: string): Promise<Fetched> {
  const refused = new AbortController()
  const proxy = await openEgressProxy(call.policy, () => refused.abort())
  try {
    return await runYtdlp({ ...call, signal: AbortSignal.any([call.signal, refused.signal]) }, url, proxy.url)
  } catch (cause) {
    // Left to itself, yt-dlp would ask for the same address a dozen times more. The proxy's own word, which no site can
    // forge, tells its refusal from the 403 of a site.
    if (refused.signal.aborted && !call.signal.aborted) return { failure: failureOf({ said: '', stopped: 'refused' }) }
    throw cause
  } finally {
    await proxy.close()
  }
}

async function runYtdlp(call: Call, url: string, proxy_url: string): Promise<Fetched> {
  const { tools, quality, folder, silence_ms } = call
  let tally = emptyTally
  let moved: string | undefined
  let last_error = ''
  let live: string | null | undefined
  const markers = newMarkers()
  const onLine = (text: string) => {
    if (text.startsWith('ERROR:')) last_error = text
    const line = readLine(text, markers)
    if (!line) return
    if (line.kind === 'done') moved = line.filepath
    if (line.kind === 'live') live = line.status
    tally = tallied(tally, line)
    call.onProgress(tally.progress)
  }
  // One of an earlier attempt would stay as it is, with addresses that are long out of date.
  await rm(join(folder, about_file), { force: true })
  const ended = await runTool({
    command: [...tools.leash, ...tools.ytdlp.command],
    args: argumentsOf({ url, quality, folder, ffmpeg: tools.ffmpeg, version: tools.ytdlp.version, markers }),
    cwd: folder,
    env: { ...(await environment(tools, folder)), ...tools.ytdlp.env, ...proxied(proxy_url) },
    signal: call.signal,
    silence_ms: () => (tally.progress.phase === 'processing' ? silence_ms * 10 : silence_ms),
    longest_ms: call.deadline - Date.now(),
    onLine,
  })
  // Exit 0 is no promise: a filter that does not fit ends with 0 and without a file.
  const file = ended.exit_code === 0 && moved ? await plainFileIn(folder, moved) : undefined
  if (file) return { file, progress: tally.progress }
  return {
    failure: failureOf({ said: last_error || wordsFor(ended, live), stopped: ended.stopped, site: siteOf(url) }),
  }
}

/** For a yt-dlp that ended without a word of its own. */
function wordsFor({ could_start, exit_code }: Ended, live: string | null | undefined): string {
  if (!could_start) return 'yt-dlp could not be started'
  if (exit_code !== 0) return `yt-dlp ended with ${exit_code}`
  return live?.startsWith('is_') ? `the video does not pass filter: ${live}` : 'yt-dlp ended without a file'
}

/** yt-dlp is told where to write; that it did is checked all the same. */
async function plainFileIn(folder: string, path: string): Promise<string | undefined> {
  const real = await realpath(path).catch(() => undefined)
  if (!real?.startsWith(folder + sep)) return undefined
  const { size } = await lstat(real)
  return size > 0 && (await lstat(path)).isFile() ? real : undefined
}
