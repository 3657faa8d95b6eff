/**
 * Runs ffmpeg and ffprobe on files of this machine, within limits: `probeFile` reads streams, length, chapters and tags of a video or sound
 * file. Judging the file is left to others.
 */
import { z } from 'zod'
import { jsonIn } from '../../runtime/json.ts'
import { Facts, type FileFacts } from '../../schema/sources/facts.ts'
import { chaptersIn } from '../ask/info-file.ts'
import type { DownloadContext } from '../process/download-context.ts'
import { environment, local_media, type ToolKind, type Tools } from '../process/programs.ts'
import { runTool } from '../process/run-tool.ts'

export type FfmpegContext = Pick<DownloadContext, 'tools' | 'folder' | 'signal' | 'silence_ms' | 'deadline'> & {
  /** The default is `convert`. */
  kind?: ToolKind
  is_background?: boolean
}

/**
 * Runs ffmpeg in the folder of a download. `onLine` also receives the lines of `-progress`, each of which shows that ffmpeg has not hung.
 * `last_error`: the last line that is not a report of progress.
 */
export async function runFfmpeg(context: FfmpegContext, args: string[], onLine = (_line: string) => {}) {
  let last_error = ''
  const quiet = ['-nostdin', '-nostats', '-loglevel', 'error', '-progress', 'pipe:1']
  const ended = await runTool({
    kind: context.kind ?? 'convert',
    command: [...context.tools.leash, context.tools.ffmpeg],
    args: [...quiet, ...args],
    cwd: context.folder,
    env: environment(context.tools),
    signal: context.signal,
    is_background: context.is_background,
    // ffmpeg prints nothing while it moves the index to the front of a large file.
    silence_ms: () => context.silence_ms * 10,
    longest_ms: context.deadline - performance.now(),
    onLine: line => {
      if (!/^[a-z0-9_]+=/.test(line)) last_error = line
      onLine(line)
    },
  })
  return { ended, last_error }
}

const Tags = z
  .record(z.string(), z.string().catch(''))
  .default({})
  .transform(tags => new Map(Object.entries(tags).map(([name, value]) => [name.toLowerCase(), value])))

const Figure = z.coerce.number().optional().catch(undefined)

/** A fraction such as `30000/1001`; `undefined`: unknown. */
const FrameRate = z
  .string()
  .optional()
  .catch(undefined)
  .transform(text => {
    const [frames, seconds] = (text ?? '').split('/').map(Number)
    return frames && seconds ? frames / seconds : undefined
  })

const Stream = z.object({
  index: z.number(),
  codec_type: z.string().catch(''),
  codec_name: z.string().catch(''),
  /** Four letters, such as `hvc1`: how the container names the codec. */
  codec_tag_string: z.string().catch(''),
  /** Such as `High` or `LC`. */
  profile: z.string().optional().catch(undefined),
  /** Of H.264: 42 for level 4.2. */
  level: Figure,
  pix_fmt: z.string().optional(),
  width: Figure,
  height: Figure,
  avg_frame_rate: FrameRate,
  /** The rate that has a moment for each picture; far above the other one where the rate varies. */
  r_frame_rate: FrameRate,
  /** How brightness is stored; `smpte2084` and `arib-std-b67` are HDR. */
  color_transfer: z.string().optional().catch(undefined),
  /** `progressive`, or the order of the fields of an interlaced picture. */
  field_order: z.string().optional().catch(undefined),
  channels: Figure,
  sample_rate: Figure,
  /** Bits per second. */
  bit_rate: Figure,
  /** `rotation`: the degrees by which a player turns the picture. */
  side_data_list: z
    .array(z.object({ rotation: Figure }))
    .optional()
    .catch(undefined),
  duration: Figure,
  disposition: z.object({ default: z.number(), attached_pic: z.number(), forced: z.number() }).partial().optional(),
  tags: Tags,
})
export type Stream = z.infer<typeof Stream>

const Chapter = z
  .object({ start_time: z.coerce.number(), end_time: z.coerce.number(), tags: Tags })
  .transform(({ tags, ...times }) => ({ ...times, title: tags.get('title') ?? '' }))

/** The names of tags are in lower case. */
export const Probe = z
  .object({
    streams: z.array(Stream).default([]),
    chapters: z.array(Chapter).default([]),
    format: z.object({ format_name: z.string(), duration: Figure, bit_rate: Figure, tags: Tags }),
  })
  .transform(({ streams, ...rest }) => ({ ...rest, streams: streams.map(stream => withLanguage(stream, rest.format)) }))
export type Probe = z.infer<typeof Probe>

/** An MP3 has the language of its only sound as the language of the file (ID3, `TLAN`). */
function withLanguage(stream: Stream, { format_name, tags }: { format_name: string; tags: Stream['tags'] }): Stream {
  const language = tags.get('language')
  if (format_name !== 'mp3' || stream.codec_type !== 'audio' || language === undefined) return stream
  return { ...stream, tags: new Map([['language', language], ...stream.tags]) }
}

/** Tags that are read. A file may have any number of others, of a megabyte each. */
const texts = 'title,artist,date,description,synopsis,purl,comment'

/** The fields that ffprobe prints: those of `Probe`. */
const entries = [
  'stream=index,codec_type,codec_name,codec_tag_string,profile,level,pix_fmt,width,height,avg_frame_rate,r_frame_rate,color_transfer,field_order',
  'stream=channels,sample_rate,bit_rate,duration',
  'stream_side_data=rotation',
  'stream_disposition=default,attached_pic,forced',
  `stream_tags=language,handler_name,${texts}`,
  'chapter=start_time,end_time',
  'chapter_tags=title',
  'format=format_name,duration,bit_rate',
  `format_tags=language,${texts}`,
].join(':')

/**
 * `folder`: in which ffprobe runs. `undefined`: ffprobe cannot read the file, or says too much about it. Rejects when `signal` is
 * aborted.
 */
export async function probeFile(
  tools: Tools,
  { file, folder, signal }: { file: string; folder: string; signal: AbortSignal },
): Promise<Probe | undefined> {
  const said: string[] = []
  const ended = await runTool({
    kind: 'probe',
    // The leash of longer runs takes as much time as ffprobe itself, so it is left out.
    command: [tools.ffprobe],
    args: ['-v', 'error', ...local_media, '-show_entries', entries, '-of', 'json=c=1', `file:${file}`],
    cwd: folder,
    env: environment(tools),
    signal,
    onLine: line => void said.push(line),
  })
  return ended.exit === 0 ? Probe.safeParse(jsonIn(said.join(''))).data : undefined
}

/** With a single chapter, a video is not divided. */
const min_chapters = 2

/** What a file says about its video: its length and its chapters. */
export function factsIn({ format, chapters }: Probe): FileFacts {
  const seconds = format.duration ? Math.max(1, Math.round(format.duration)) : null
  const found = chaptersIn({ chapters })
  return {
    duration_seconds: Facts.shape.duration_seconds.safeParse(seconds).data ?? null,
    chapters: found && found.length >= min_chapters ? found : undefined,
  }
}
