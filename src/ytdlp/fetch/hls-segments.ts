/**
 * Makes a video playable while it is downloaded, from the moment someone wants to watch it: ffmpeg reads the growing files and cuts them
 * into the segments of an HLS event playlist. A failure here harms no download: it only means that the video can be watched later.
 */
import { unlessAborted } from '../../runtime/turns.ts'
import { type Plan, weightsOf } from '../ask/output.ts'
import type { Arriving, ArrivingFacts, DownloadContext } from '../process/download-context.ts'
import { environment, piped_media } from '../process/programs.ts'
import { runTool } from '../process/run-tool.ts'
import type { Input } from '../process/start.ts'
import { type ArrivingFiles, arrivingFiles, Restarted, readGrowing, startOfGrowing } from './arriving-files.ts'
import { fetchSoundAhead } from './sound-ahead.ts'

/** `begin`: called when yt-dlp's plan is known. `stop` resolves when nothing is written any more. */
export type SegmentMaker = { begin(plan: Plan): void; stop(): Promise<void> }

export function segmentMaker(context: DownloadContext): SegmentMaker {
  const { arriving } = context
  const stopping = new AbortController()
  const signal = AbortSignal.any([context.signal, stopping.signal])
  let making: Promise<void> | undefined
  return {
    begin(plan) {
      if (arriving) making ??= makeWhenWanted({ ...context, signal }, arriving, plan).catch(() => {})
    },
    async stop() {
      stopping.abort()
      await making
    },
  }
}

async function makeWhenWanted(context: DownloadContext, arriving: Arriving, plan: Plan): Promise<void> {
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
  const [picture = 1, sound = 1] = weightsOf(plan.requested_formats ?? [])
  const beside = { picture: files.main, sound_per_picture: sound / picture }
  const fetching_sound = files.sound && fetchSoundAhead(context, files.sound, beside).catch(() => {})
  // The first length counts, which is that of the picture.
  const onLength = (seconds: number) => {
    if (facts.duration_s === null) say({ duration_s: seconds }).catch(() => {})
  }
  try {
    const is_made = await makeFromStart(context, arriving, files, onLength)
    if (!signal.aborted) await say(is_made ? { has_all: true } : { is_whole_only: true })
  } finally {
    // The caller may remove the folder only after the sound's run of yt-dlp has ended.
    await fetching_sound
  }
}

const max_restarts = 20

/** yt-dlp may begin a file again from its start; then the segments begin again, too. `false`: as for `makeHlsSegments`. */
async function makeFromStart(
  context: DownloadContext,
  arriving: Arriving,
  { main, sound }: ArrivingFiles,
  onLength: (seconds: number) => void,
): Promise<boolean> {
  const { signal } = context
  const places = [[main], ...(sound ? [[sound.file, sound.ahead]] : [])]
  for (let restarts = 0; restarts <= max_restarts; restarts++) {
    try {
      const starts = await Promise.all(places.map(files => startOfGrowing(files, signal)))
      if (starts.some(({ plays }) => !plays)) return false
      const inputs = places.map(files => (has_exited: AbortSignal) => readGrowing(files, has_exited))
      const has_stream_headers = starts.at(-1)?.has_stream_headers ?? false
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

/** Over five hours, at two seconds each. Each segment is a file and a line of a playlist that players read every few seconds. */
const max_hls_segments = 10_000

/**
 * `has_stream_headers`: as in `FileStart`, of the sound. `onLength`: called with the length in seconds of each input that says it at its
 * beginning.
 */
type ArrivingMedia = {
  inputs: Input[]
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
  const running = runTool({
    kind: 'hls',
    command: [...tools.leash, tools.ffmpeg],
    args: argumentsFor(inputs.length, has_stream_headers),
    inputs,
    cwd: folder,
    env: environment(tools),
    signal: AbortSignal.any([signal, too_many.signal]),
    longest_ms: deadline - performance.now(),
    onLine(line) {
      if (/^\[hls @ \S+\] Opening '(\d+)\.m4s/.exec(line)?.[1] === String(max_segments)) too_many.abort()
      const seconds = lengthIn(line)
      if (seconds !== undefined) onLength(seconds)
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
    ...['-hls_fmp4_init_filename', 'init.mp4', '-hls_segment_filename', '%d.m4s', 'index.m3u8'],
    // Key frames can be many seconds apart: a minute lets a player on a slow line gain a lead. Only our own player takes such parts.
    ...[...streams, '-t', '60', '-hls_time', '0.5', '-hls_flags', 'split_by_time+temp_file'],
    ...['-hls_fmp4_init_filename', 'early.mp4', '-hls_segment_filename', 'early%d.m4s', 'early.m3u8'],
  ]
}
const soon = ['-probesize', '200000', '-fpsprobesize', '0']
