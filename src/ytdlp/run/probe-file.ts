/** Reads a video or sound file of this machine with ffprobe: its streams, its length and its tags. Judging them is left to others. */
import { z } from 'zod'
import { local_media } from './command.ts'
import { runTool } from './process.ts'
import type { Tools } from './tools.ts'

const Tags = z
  .record(z.string(), z.string().catch(''))
  .default({})
  .transform(tags => new Map(Object.entries(tags).map(([name, value]) => [name.toLowerCase(), value])))

const Stream = z.object({
  index: z.number(),
  codec_type: z.string().catch(''),
  codec_name: z.string().catch(''),
  pix_fmt: z.string().optional(),
  height: z.number().optional().catch(undefined),
  disposition: z.object({ attached_pic: z.number() }).partial().optional(),
  tags: Tags,
})

/** The names of tags are in lower case. */
export const FileProbe = z.object({
  streams: z.array(Stream).default([]),
  format: z.object({ format_name: z.string(), duration: z.coerce.number().optional(), tags: Tags }),
})
export type FileProbe = z.infer<typeof FileProbe>

const silence_ms = 60_000

/** `folder`: in which ffprobe runs. `undefined`: ffprobe cannot read the file. Rejects when `signal` is aborted. */
export async function probeFile(
  tools: Tools,
  { file, folder, signal }: { file: string; folder: string; signal: AbortSignal },
): Promise<FileProbe | undefined> {
  let json = ''
  const ended = await runTool({
    // Without the leash of longer runs, which takes as much time as ffprobe itself.
    command: [tools.ffprobe],
    args: ['-v', 'error', ...local_media, '-show_streams', '-show_format', '-of', 'json', `file:${file}`],
    cwd: folder,
    env: { PATH: tools.path, LANG: 'C.UTF-8', ...tools.system_env },
    signal,
    silence_ms: () => silence_ms,
    longest_ms: silence_ms,
    onLine: line => {
      json += line
    },
  })
  if (ended.exit_code !== 0) return undefined
  try {
    return FileProbe.safeParse(JSON.parse(json)).data
  } catch {
    return undefined
  }
}
