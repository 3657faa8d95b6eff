/**
 * Cuts a video into the segments of an HLS event playlist while it arrives: fragmented MP4, copied and never converted. ffmpeg reads the
 * growing files through pipes, because at the end of a file it would take it for complete.
 */
import { piped_media } from './command.ts'
import type { DownloadContext } from './download-context.ts'
import { runTool, type ToolRun } from './process.ts'

export const playlist_file = 'index.m3u8'
export const init_file = 'init.mp4'
/** At two seconds each, over five hours. Each segment is a file and a line of a playlist that players read every few seconds. */
const most_segments = 10_000

/**
 * `has_stream_headers`: the AAC has the headers of a stream, which MP4 does not allow. `onLength`: called with the length of the whole video in
 * seconds, if the beginning of the picture says it.
 */
type ArrivingMedia = {
  inputs: NonNullable<ToolRun['inputs']>
  has_stream_headers: boolean
  onLength(seconds: number): void
}

/**
 * `inputs`: the picture and the sound, or a file with both, or the sound alone. Writes `index.m3u8`, which names `init.mp4` and `0.m4s` and
 * so on, into `folder`. `false`: ffmpeg cannot put this format into such segments, the input was broken, or
 * there would be more than `most` segments.
 */
export async function makeSegments(
  { tools, deadline }: Pick<DownloadContext, 'tools' | 'deadline'>,
  { inputs, has_stream_headers, onLength }: ArrivingMedia,
  folder: string,
  signal: AbortSignal,
  most = most_segments,
): Promise<boolean> {
  const too_many = new AbortController()
  let is_known = false
  const running = runTool({
    kind: 'segments',
    command: [...tools.leash, tools.ffmpeg],
    args: argumentsFor(inputs.length, has_stream_headers),
    inputs,
    cwd: folder,
    env: { PATH: tools.path, LANG: 'C.UTF-8', ...tools.system_env },
    signal: AbortSignal.any([signal, too_many.signal]),
    longest_ms: deadline - Date.now(),
    onLine(line) {
      if (/^\[hls @ \S+\] Opening '(\d+)\.m4s/.exec(line)?.[1] === String(most)) too_many.abort()
      const seconds = lengthIn(line)
      if (seconds === undefined || is_known) return
      is_known = true
      onLength(seconds)
    },
  })
  try {
    return (await running).exit_code === 0
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
const argumentsFor = (inputs: number, has_stream_headers: boolean): string[] => [
  ...['-nostdin', '-nostats', '-hide_banner', '-loglevel', 'info', '-y'],
  ...Array.from({ length: inputs }, (_, n) => [...piped_media, '-probesize', '200000', '-i', `pipe:${n + 3}`]).flat(),
  ...['-map', '0:v:0?', '-map', `${inputs - 1}:a:0?`, '-map_metadata', '-1', '-dn', '-sn', '-c', 'copy'],
  ...(has_stream_headers ? ['-bsf:a', 'aac_adtstoasc'] : []),
  ...['-f', 'hls', '-hls_time', '2', '-hls_playlist_type', 'event', '-hls_segment_type', 'fmp4'],
  ...['-hls_flags', 'independent_segments+temp_file'],
  ...['-hls_fmp4_init_filename', init_file, '-hls_segment_filename', '%d.m4s', playlist_file],
]
