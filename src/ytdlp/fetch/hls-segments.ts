/**
 * Makes a video playable while it is downloaded, from the moment someone wants to watch it: ffmpeg reads the growing files and cuts them
 * into the segments of an HLS event playlist. A failure here harms no download: it only means that the video can be watched later.
 */
import { unlessAborted } from '../../runtime/turns.ts'
import { type Plan, weightsOf } from '../ask/output.ts'
import type { Arriving, ArrivingFacts, DownloadContext } from '../process/download-context.ts'
import { runTool } from '../process/run-tool.ts'
import type { ToolRun } from '../process/start.ts'
import { piped_media } from '../process/tools.ts'
import { type ArrivingFiles, arrivingFiles, Restarted, readGrowing, startOfGrowing } from './arriving-files.ts'
import { fetchSoundAhead } from './sound-ahead.ts'

/** `stop` resolves when nothing is written any more. */
export type Arrival = { begin(plan: Plan): void; stop(): Promise<void> }

/** Follows yt-dlp from the moment its plan is known. */
export function arrivalOf(context: DownloadContext): Arrival {
  const { arriving } = context
  const stopping = new AbortController()
  const signal = AbortSignal.any([context.signal, stopping.signal])
  let followed: Promise<void> | undefined
  return {
    begin(plan) {
      if (arriving) followed ??= follow({ ...context, signal }, arriving, plan).catch(() => {})
    },
    async stop() {
      stopping.abort()
      await followed
    },
  }
}

async function follow(context: DownloadContext, arriving: Arriving, plan: Plan): Promise<void> {
  const { signal } = context
  await unlessAborted(arriving.wanted, signal)
  const files = arrivingFiles(plan, context.folder, context.quality)
  let facts: ArrivingFacts = { duration_s: plan.duration ?? null, is_whole_only: files === undefined }
  const say = (more: Partial<ArrivingFacts>) => {
    facts = { ...facts, ...more }
    return arriving.say(facts)
  }
  await say({})
  if (!files) return
  const ahead = files.sound && fetchSoundAhead(context, { ...files.sound, ...besideOf(files, plan) }).catch(() => {})
  const onLength = (seconds: number) => {
    if (plan.duration == null) say({ duration_s: seconds }).catch(() => {})
  }
  try {
    const is_made = await hlsSegmentsOf(context, { arriving, files, onLength })
    if (!signal.aborted) await say(is_made ? { has_all: true } : { is_whole_only: true })
  } finally {
    // The folder belongs to no one else before it has ended.
    await ahead
  }
}

function besideOf({ main }: ArrivingFiles, { requested_formats }: Plan) {
  const [picture = 1, sound = 1] = weightsOf(requested_formats ?? [])
  return { picture: main, share: sound / picture }
}

/** yt-dlp may begin a file again from its start; then the segments begin again, too. */
const max_restarts = 20

type HlsJob = { arriving: Arriving; files: ArrivingFiles; onLength(seconds: number): void }

async function hlsSegmentsOf(context: DownloadContext, { arriving, files, onLength }: HlsJob): Promise<boolean> {
  const { signal } = context
  const names = [[files.main], ...(files.sound ? [[files.sound.file, files.sound.ahead]] : [])]
  for (let restarts = 0; restarts <= max_restarts; restarts++) {
    try {
      const begun = await Promise.all(names.map(each => startOfGrowing(each, signal)))
      if (begun.some(({ plays }) => !plays)) return false
      const inputs = names.map(each => (over: AbortSignal) => readGrowing(each, over))
      const has_stream_headers = begun.at(-1)?.has_stream_headers ?? false
      const folder = await arriving.newFolder()
      if (await makeHlsSegments(context, { inputs, has_stream_headers, onLength }, folder, signal)) return true
      // The segments that ffmpeg made before it failed are useless.
      await arriving.newFolder()
      return false
    } catch (cause) {
      if (!(cause instanceof Restarted)) throw cause
    }
  }
  return false
}

const playlist_file = 'index.m3u8'
const init_file = 'init.mp4'
const early_file = 'early.m3u8'
/** Over five hours, at two seconds each. Each segment is a file and a line of a playlist that players read every few seconds. */
const max_hls_segments = 10_000

/**
 * `has_stream_headers`: the AAC has the headers of a stream, which MP4 does not allow. `onLength`: called with the length of the whole
 * video in seconds, if the beginning of the picture says it.
 */
type ArrivingMedia = {
  inputs: NonNullable<ToolRun['inputs']>
  has_stream_headers: boolean
  onLength(seconds: number): void
}

/**
 * Writes `index.m3u8`, which names `init.mp4` and `0.m4s` and so on, into `folder`: fragmented MP4, copied and never converted. ffmpeg
 * reads pipes, because at the end of a growing file it would take the file for complete.
 *
 * `inputs`: the picture and the sound, or a file with both, or the sound alone. `false`: ffmpeg cannot put this format into such segments,
 * the input was broken, or there would be more than `max_segments`.
 */
export async function makeHlsSegments(
  { tools, deadline }: Pick<DownloadContext, 'tools' | 'deadline'>,
  { inputs, has_stream_headers, onLength }: ArrivingMedia,
  folder: string,
  signal: AbortSignal,
  max_segments = max_hls_segments,
): Promise<boolean> {
  const too_many = new AbortController()
  let is_known = false
  const running = runTool({
    kind: 'hls',
    command: [...tools.leash, tools.ffmpeg],
    args: argumentsFor(inputs.length, has_stream_headers),
    inputs,
    cwd: folder,
    env: { PATH: tools.path, LANG: 'C.UTF-8', ...tools.system_env },
    signal: AbortSignal.any([signal, too_many.signal]),
    longest_ms: deadline - performance.now(),
    onLine(line) {
      if (/^\[hls @ \S+\] Opening '(\d+)\.m4s/.exec(line)?.[1] === String(max_segments)) too_many.abort()
      const seconds = lengthIn(line)
      if (seconds === undefined || is_known) return
      is_known = true
      onLength(seconds)
    },
  })
  try {
    return (await running).exit === 0
  } catch (cause) {
    if (too_many.signal.aborted && !signal.aborted) return false
    throw cause
  }
}

/** The length in seconds; `undefined`: the line does not say it. An input of unknown length has `N/A`. */
function lengthIn(line: string): number | undefined {
  const [, hours, minutes, seconds] = /^\s*Duration: (\d+):(\d\d):(\d\d\.\d+)/.exec(line) ?? []
  return seconds === undefined ? undefined : Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
}

/** `info` prints the lengths of the inputs. A small `-probesize` lets ffmpeg begin soon where a site is slow. */
function argumentsFor(inputs: number, has_stream_headers: boolean): string[] {
  const streams = [
    ...['-map', '0:v:0?', '-map', `${inputs - 1}:a:0?`, '-map_metadata', '-1', '-dn', '-sn', '-c', 'copy'],
    ...(has_stream_headers ? ['-bsf:a', 'aac_adtstoasc'] : []),
    ...['-f', 'hls', '-hls_playlist_type', 'event', '-hls_segment_type', 'fmp4'],
  ]
  return [
    ...['-nostdin', '-nostats', '-hide_banner', '-loglevel', 'info', '-y'],
    ...Array.from({ length: inputs }, (_, n) => [...piped_media, ...soon, '-i', `pipe:${n + 3}`]).flat(),
    ...[...streams, '-hls_time', '2', '-hls_flags', 'independent_segments+temp_file'],
    ...['-hls_fmp4_init_filename', init_file, '-hls_segment_filename', '%d.m4s', playlist_file],
    // Key frames can be many seconds apart: a minute lets a player on a slow line gain a lead. Only our own player takes such parts.
    ...[...streams, '-t', '60', '-hls_time', '0.5', '-hls_flags', 'split_by_time+temp_file'],
    ...['-hls_fmp4_init_filename', 'early.mp4', '-hls_segment_filename', 'early%d.m4s', early_file],
  ]
}
const soon = ['-probesize', '200000', '-fpsprobesize', '0']
