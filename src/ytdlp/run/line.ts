/** Reads the lines that yt-dlp prints by the templates of `command.ts`. Pure. `progress.ts` adds them up. */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'

/** The beginning of our own lines, by kind. */
export type Markers = Readonly<
  Record<'plan' | 'progress' | 'step' | 'done' | 'owner' | 'live' | 'video' | 'list', string>
>

/** Contains a secret of the run. yt-dlp also prints text that a site chose, which could imitate any constant. */
export function markersWith(secret: string): Markers {
  const marker = (kind: string) => `[backlot-${kind}:${secret}]`
  return {
    plan: marker('plan'),
    progress: marker('progress'),
    step: marker('step'),
    done: marker('done'),
    owner: marker('owner'),
    live: marker('live'),
    video: marker('video'),
    list: marker('list'),
  }
}

/** New markers for one run of yt-dlp. */
export const newMarkers = (): Markers => markersWith(randomBytes(16).toString('hex'))

/** Numbers above 10^15 are nonsense, and Postgres does not read them as integers. */
const Amount = z.number().nonnegative().max(1e15).nullish().catch(null)
export type Part = z.infer<typeof Part>
const Part = z.object({
  format_id: z.string(),
  ext: z.string().nullish().catch(null),
  filesize: Amount,
  filesize_approx: Amount,
  tbr: Amount,
})
export type Plan = z.infer<typeof Plan>
const Plan = z.object({
  format_id: z.string().nullish(),
  ext: z.string().nullish().catch(null),
  /** Seconds. */
  duration: Amount,
  requested_formats: z.array(Part).nullish().catch(null),
})
/** yt-dlp's report on the file that it fetches now. */
export type FileProgress = z.infer<typeof FileProgress>
const FileProgress = z.object({
  format_id: z.string().nullish().catch(null),
  progress: z.object({
    status: z.string(),
    downloaded_bytes: Amount,
    total_bytes: Amount,
    total_bytes_estimate: Amount,
    speed: Amount,
    eta: Amount,
    fragment_index: Amount,
    fragment_count: Amount,
  }),
})
const Done = z.object({ filepath: z.string() })
const Live = z.object({ live_status: z.string().nullish().catch(null) })

export type Line =
  | { kind: 'plan'; plan: Plan }
  | { kind: 'progress'; report: FileProgress }
  /** A step after the download, by the name that yt-dlp gives it. */
  | { kind: 'step'; name: string }
  | { kind: 'done'; filepath: string }
  | { kind: 'live'; status: string | null | undefined }

/** `undefined`: the line has no marker of this run, or is cut off. */
export function readLine(line: string, markers: Markers): Line | undefined {
  if (line.startsWith(markers.step)) return { kind: 'step', name: line.slice(markers.step.length).trim() }
  const plan = readMarked(line, markers.plan, Plan)
  if (plan) return { kind: 'plan', plan }
  const report = readMarked(line, markers.progress, FileProgress)
  if (report) return { kind: 'progress', report }
  const live = readMarked(line, markers.live, Live)
  if (live) return { kind: 'live', status: live.live_status }
  const done = readMarked(line, markers.done, Done)
  return done && { kind: 'done', filepath: done.filepath }
}

const Text = z.string().nullish().catch(null)
const Owner = z.object({
  extractor_key: Text,
  channel_id: Text,
  channel_url: Text,
  uploader_url: Text,
  playlist_channel_id: Text,
})
export type Owner = z.infer<typeof Owner>

/** The channel that a video belongs to, as printed for `ownerArgumentsOf`. */
export const readOwner = (line: string, { owner }: Markers): Owner | undefined => readMarked(line, owner, Owner)

/** The JSON after the marker; `undefined`: the line has another marker or none, or its JSON has another form. */
export function readMarked<T>(line: string, marker: string, schema: z.ZodType<T>): T | undefined {
  if (!line.startsWith(marker)) return undefined
  try {
    return schema.safeParse(JSON.parse(line.slice(marker.length))).data
  } catch {
    return undefined
  }
}
