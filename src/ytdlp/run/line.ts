/** One line of what yt-dlp prints, by the templates that `command.ts` gives it. Pure; adding them up is in `progress.ts`. */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'

/** What our own lines start with, by their kind. */
export type Markers = Readonly<Record<'plan' | 'progress' | 'step' | 'done' | 'owner' | 'live', string>>

/** With a secret of one run: yt-dlp also prints text that a site or an address chose, which can hold any constant. */
export function markersWith(secret: string): Markers {
  const marker = (kind: string) => `[backlot-${kind}:${secret}]`
  return {
    plan: marker('plan'),
    progress: marker('progress'),
    step: marker('step'),
    done: marker('done'),
    owner: marker('owner'),
    live: marker('live'),
  }
}

/** For one run of yt-dlp. */
export const newMarkers = (): Markers => markersWith(randomBytes(16).toString('hex'))

/** Beyond 10^15 nothing is an amount of anything, and Postgres no longer reads it as a whole number. */
const Amount = z.number().nonnegative().max(1e15).nullish().catch(null)
export type Part = z.infer<typeof Part>
const Part = z.object({ format_id: z.string(), filesize: Amount, filesize_approx: Amount, tbr: Amount })
export type Plan = z.infer<typeof Plan>
const Plan = z.object({ format_id: z.string().nullish(), requested_formats: z.array(Part).nullish().catch(null) })
/** What yt-dlp tells of the file it fetches right now. */
export type Told = z.infer<typeof Told>
const Told = z.object({
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
  | { kind: 'progress'; told: Told }
  | { kind: 'step' }
  | { kind: 'done'; filepath: string }
  | { kind: 'live'; status: string | null | undefined }

/** `undefined`: a line without the marker of this run, or one of ours that was cut off. */
export function readLine(line: string, markers: Markers): Line | undefined {
  if (line.startsWith(markers.step)) return { kind: 'step' }
  const plan = read(line, markers.plan, Plan)
  if (plan) return { kind: 'plan', plan }
  const told = read(line, markers.progress, Told)
  if (told) return { kind: 'progress', told }
  const live = read(line, markers.live, Live)
  if (live) return { kind: 'live', status: live.live_status }
  const done = read(line, markers.done, Done)
  return done && { kind: 'done', filepath: done.filepath }
}

const Said = z.string().nullish().catch(null)
const Owner = z.object({
  extractor_key: Said,
  channel_id: Said,
  channel_url: Said,
  uploader_url: Said,
  playlist_channel_id: Said,
})
export type Owner = z.infer<typeof Owner>

/** Whose the video is, as an answer to `questionOf`. */
export const readOwner = (line: string, { owner }: Markers): Owner | undefined => read(line, owner, Owner)

function read<T>(line: string, marker: string, schema: z.ZodType<T>): T | undefined {
  if (!line.startsWith(marker)) return undefined
  try {
    return schema.safeParse(JSON.parse(line.slice(marker.length))).data
  } catch {
    return undefined
  }
}
