/** Runs yt-dlp for one video, until its file is complete. Its output becomes progress or a failure. */
import { lstat, realpath, rm } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { Progress } from '../../schema/downloads/download.ts'
import { namesMediaFile, siteOf } from '../../schema/values/address.ts'
import { argumentsOf } from '../ask/command.ts'
import { emptyTally, type FileProgress, newMarkers, readLine, tallied } from '../ask/output.ts'
import { type Probe, probeFile } from '../convert/ffmpeg.ts'
import { cleaned, type Failure, failures } from '../failures/failure.ts'
import { errorListener, failureOf } from '../failures/read-error.ts'
import { info_file } from '../operator/with-operator.ts'
import type { DownloadContext } from '../process/download-context.ts'
import type { ToolEnd } from '../process/run-tool.ts'
import { runYtdlp } from '../process/ytdlp.ts'
import type { SegmentMaker } from './hls-segments.ts'
import { forgetPartial, readFileSizes } from './whole-file.ts'

/**
 * `probe`: of the file; begins while yt-dlp is still ending. `said_s`: the length of the video that the site says; `null`: it says none.
 */
type FetchResult =
  | { file: string; progress: Progress; probe: Promise<Probe | undefined>; said_s: number | null }
  | { failure: Failure }

/** Begins again, once, where the site sends the rest of another file than before. */
export async function fetchVideo(context: DownloadContext, segments: SegmentMaker): Promise<FetchResult> {
  for (let runs = 0; runs < 2; runs++) {
    const fetched = await fetchOnce(context, segments)
    if (fetched !== 'other_file') return fetched
    await forgetPartial(context)
  }
  return { failure: failures.other_file }
}

async function fetchOnce(context: DownloadContext, segments: SegmentMaker): Promise<FetchResult | 'other_file'> {
  const other = new AbortController()
  const sizes = await readFileSizes(context)
  try {
    const signal = AbortSignal.any([context.signal, other.signal])
    return await runOnce({ ...context, signal }, segments, report => sizes.isOther(report) && other.abort())
  } catch (cause) {
    if (!other.signal.aborted || context.signal.aborted) throw cause
    return 'other_file'
  } finally {
    await sizes.saved()
  }
}

/** One run of yt-dlp. `onReport`: called with each report on a file that yt-dlp fetches. */
async function runOnce(
  context: DownloadContext,
  segments: SegmentMaker,
  onReport: (report: FileProgress) => unknown,
): Promise<FetchResult> {
  const { url, quality, takes_unfinished, folder, cookies, signal, tools, policy, silence_ms, pacing } = context
  let said_s: number | null = null
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
    if (line.kind === 'progress') onReport(line.report)
    if (line.kind === 'plan') {
      said_s = line.plan.duration ?? null
      segments.begin(line.plan)
    }
    tally = tallied(tally, line)
    context.onProgress(tally.progress)
  }
  // yt-dlp would keep the info file of an earlier attempt, whose addresses are out of date.
  await rm(join(folder, info_file), { force: true })
  const ended = await runYtdlp(folder, {
    kind: 'download',
    tools,
    policy,
    cookies,
    signal,
    pace: pacing?.pace,
    onLine,
    args: argumentsOf({
      url,
      quality,
      takes_unfinished,
      folder,
      markers,
      ffmpeg: tools.ffmpeg,
      version: tools.ytdlp.version,
    }),
    silence_ms: () => {
      // yt-dlp may be silent because of our rate.
      if (pacing?.hasWaited(silence_ms)) return Number.POSITIVE_INFINITY
      return /^(merging|processing)$/.test(tally.progress.phase) ? silence_ms * 10 : silence_ms
    },
    longest_ms: context.deadline - performance.now(),
  })
  if ('failure' in ended) return ended
  // yt-dlp also exits with 0 when its filter excludes the video, and then there is no file.
  const file = ended.exit === 0 && final ? await fileInside(folder, final.path) : undefined
  if (file && final) return { file, progress: tally.progress, probe: final.probe, said_s }
  const last_error = cookies_ended.test(errors.warned()) ? errors.warned() : errors.said()
  return { failure: failureAfter(ended, { url, last_error, live }) }
}

/** YouTube then answers as it answers anyone, so only this warning says that the cookies are the reason. */
const cookies_ended = /^WARNING: .*account cookies are no longer valid/

/** Reads the file while yt-dlp is still ending: yt-dlp prints the path after its last step, so the file is complete. */
function probeEarly(context: DownloadContext, path: string): Promise<Probe | undefined> {
  const probe = fileInside(context.folder, path).then(file =>
    file === undefined ? undefined : probeFile(context.tools, { ...context, file }),
  )
  // If yt-dlp fails after all, the probe is not used.
  probe.catch(() => {})
  return probe
}

/** The file's real path; `undefined`: the file is empty, no regular file, or outside the folder that yt-dlp was given. */
async function fileInside(folder: string, path: string): Promise<string | undefined> {
  const real = await realpath(path).catch(() => undefined)
  if (!real?.startsWith(folder + sep)) return undefined
  const { size } = await lstat(real)
  return size > 0 && (await lstat(path)).isFile() ? real : undefined
}

/** `live`: yt-dlp's `live_status`. */
type RunOutput = { url: string; last_error: string; live: string | null | undefined }

/** Why a run of yt-dlp ended without a file that can be kept. If we stopped yt-dlp, that is the reason, whatever it printed. */
function failureAfter({ stopped, could_start, exit }: ToolEnd, { url, last_error, live }: RunOutput): Failure {
  if (stopped) return { ...failures[stopped], detail: cleaned(last_error) }
  if (last_error) return withoutVideo(failureOf({ said: last_error, site: siteOf(url) }), url)
  if (!could_start) return failures.not_started
  if (exit !== 0) return { ...failures.unknown, detail: `yt-dlp ended with ${exit}` }
  if (live === 'post_live') return failures.recording
  return live?.startsWith('is_') ? failures.live : failures.no_file
}

/**
 * A page without a video will not have one tomorrow. But a page in place of a media file is a fault of the site that may pass. The database
 * does not say which addresses were enclosures of a feed, so the ending of the address decides.
 */
const withoutVideo = (failure: Failure, url: string): Failure =>
  failure.reason === 'unsupported' && namesMediaFile(url)
    ? { ...failures.page_instead, detail: failure.detail }
    : failure
