/**
 * The programs that a download runs (yt-dlp, ffmpeg and what starts them), their environment, and what one child process may use.
 * `run-tool.ts` enforces the limits; finding the programs is left to `ytdlp/tools/`.
 */
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { YtdlpSource } from '../../schema/service/renewal.ts'
import type { Operator } from '../operator/options.ts'

export type Ytdlp = {
  command: string[]
  env: Record<string, string>
  version: string
  /** `named`: YTDLP_PATH; `own`: the data folder, where we renew it; `path`: installed on this machine and renewed by others. */
  source?: YtdlpSource
  operator?: Operator | undefined
}

export type Ffmpeg = { ffmpeg: string; ffmpeg_version: string; ffprobe: string }

export type Tools = Ffmpeg & {
  ytdlp: Ytdlp
  /** A command to put in front of a tool's: it ends the tool and its children when our process dies. Empty where the system has none. */
  leash: string[]
  path: string
  system_env: Record<string, string>
}

/** One sentence for people: what is missing and what to do. */
export type MissingTools = { missing: string }

/** Looks for the tools at the first call, and answers later calls with the latest result. */
export type ToolFinder = () => Promise<Tools | MissingTools>

/** Contains only what a tool needs: not our database address or tokens. */
export const environment = ({ path, system_env }: Tools) => ({ PATH: path, LANG: 'C.UTF-8', ...system_env })

/** Also makes a home in `folder`: an empty one, so that the tool finds no configuration. */
export async function environmentWithHome(tools: Tools, folder: string) {
  const home = join(folder, 'home')
  await rm(home, { recursive: true, force: true })
  await mkdir(home, { mode: 0o700 })
  return { HOME: home, TMPDIR: home, TEMP: home, ...environment(tools) }
}

/** Our proxy as the only way out. Only our own user can read an environment. With an empty `no_proxy`, every host uses the proxy. */
export const proxyVariables = (url: string) => ({
  http_proxy: url,
  https_proxy: url,
  all_proxy: url,
  no_proxy: '',
  NO_PROXY: '',
})

/**
 * What one child process may use. `memory_mb`: the memory that it may write to; each of its own children may write to as much.
 * `longest_ms`: a caller may allow less. `output_mb`: of all lines that it prints, together.
 */
type Limits = { memory_mb: number; longest_ms: number; output_mb: number }
export type ToolKind = keyof typeof limits

const [minute_ms, hour_ms] = [60_000, 3_600_000]

/** The figures of memory were measured with ffmpeg 5.1, yt-dlp 2026.10.26, Node 24 and Deno 2. */
export const limits = {
  /** ffmpeg, one picture. The largest that is read (4096 × 4096 pixels of 64 bits) takes 171 MB; twice that. */
  picture: { memory_mb: 384, longest_ms: 20_000, output_mb: 1 },
  /**
   * ffprobe, one file. A film of twelve hours takes 263 MB, because its index is read; twice that. The answer of a usual film has a
   * thousand characters.
   */
  probe: { memory_mb: 512, longest_ms: minute_ms, output_mb: 1 },
  /** ffmpeg, one file of subtitles. One of 4 MB takes 78 MB and two seconds; three times that, and more time on a small machine. */
  subtitles: { memory_mb: 256, longest_ms: minute_ms, output_mb: 1 },
  /**
   * ffmpeg, one film of ours. Encoding 4K takes 1.6 to 2.3 GB, 8K 4.4 GB and is refused. It reports twice a second, for up to half a day.
   */
  convert: { memory_mb: 4096, longest_ms: 12 * hour_ms, output_mb: 64 },
  /** ffmpeg, copying a film that still arrives. It prints a line for each segment, and for each frame of a broken film. */
  hls: { memory_mb: 512, longest_ms: 4 * hour_ms, output_mb: 64 },
  /** ffmpeg, the sound of one film, copied or encoded. It keeps an index of all packets of the film: twice what ffprobe takes. */
  sound: { memory_mb: 1024, longest_ms: hour_ms, output_mb: 16 },
  /**
   * yt-dlp, one question. It takes 0.1 GB, and the Node or Deno that runs YouTube's scripts 0.8 GB: V8 reserves 0.5 GB for code before it
   * does anything.
   */
  ask: { memory_mb: 1536, longest_ms: 3 * minute_ms, output_mb: 8 },
  /** yt-dlp, one list: at most 50,000 videos of about 1 kB, each handled before the next one is read. */
  list: { memory_mb: 1536, longest_ms: 4 * hour_ms, output_mb: 256 },
  /** yt-dlp, one video. Its ffmpeg joins a film of twelve hours with 0.6 GB. It reports twice a second and for each part of a stream. */
  download: { memory_mb: 1536, longest_ms: 4 * hour_ms, output_mb: 256 },
} as const satisfies Record<string, Limits>

/** Threads of one encoder. With a thread for every core, an encoder takes 12 GB for 4K on 64 cores. */
export const max_threads = 4

/** The largest single piece of memory, which is all that bounds ffmpeg and ffprobe where the system limits no memory. */
const max_alloc = ['-max_alloc', String(512 * 1024 * 1024)]

const plain_containers = 'mov,mp4,matroska,webm,mpegts,mpeg,flv,avi,asf,ogg,mp3,aac,wav,flac,webvtt,srt,ass,h264,hevc'

/** Subtitles as text. Those that are pictures have no words to convert. */
const subtitle_formats =
  'srt,webvtt,ass,subviewer,subviewer1,microdvd,lrc,sami,mpl2,mpsub,jacosub,vplayer,pjs,aqtitle,realtext,stl,scc,tedcaptions'

/** Limits ffmpeg's input to local files with subtitles. */
export const local_subtitles = [...max_alloc, '-protocol_whitelist', 'file', '-format_whitelist', subtitle_formats]

/** Limits ffmpeg's input to local files in plain containers. A playlist could lead elsewhere. */
export const local_media = [...max_alloc, '-protocol_whitelist', 'file', '-format_whitelist', plain_containers]

/** Limits ffmpeg's input to a pipe in plain containers. */
export const piped_media = [...max_alloc, '-protocol_whitelist', 'pipe', '-format_whitelist', plain_containers]
