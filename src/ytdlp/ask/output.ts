/**
 * Reads the lines that yt-dlp prints by the templates of `command.ts`, and adds up its reports on video and audio, which it counts from 0
 * to 100 each, to one percentage. Pure.
 */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { jsonIn } from '../../runtime/json.ts'
import type { Progress } from '../../schema/downloads/download.ts'
import { VideoInfo } from './video-info.ts'

const kinds = ['plan', 'progress', 'step', 'done', 'owner', 'live', 'video', 'list'] as const
/** The beginning of our own lines, by kind. */
export type Markers = Readonly<Record<(typeof kinds)[number], string>>

/** Contains a secret of the run. yt-dlp also prints text that a site chose, which could imitate any constant. */
export const markersWith = (secret: string): Markers =>
  Object.fromEntries(kinds.map(kind => [kind, `[backlot-${kind}:${secret}]`])) as Markers

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

/** The channel that a video belongs to, as printed for `ownerArgumentsOf`. */
export const readOwner = (line: string, { owner }: Markers): VideoInfo | undefined => readMarked(line, owner, VideoInfo)

/** The JSON after the marker; `undefined`: the line has another marker or none, or its JSON has another form. */
export const readMarked = <T>(line: string, marker: string, schema: z.ZodType<T>): T | undefined =>
  line.startsWith(marker) ? schema.safeParse(jsonIn(line.slice(marker.length))).data : undefined

/** Bytes are `null` while unknown. The shares of all parts add up to 1. */
type PartState = { format_id: string | null; share: number; size: number | null; got: number; fraction: number | null }
export type Tally = { parts: PartState[]; current: number; percent: number | null; progress: Progress }

const nothing: Omit<Progress, 'phase'> = {
  percent: null,
  downloaded_bytes: null,
  total_bytes: null,
  speed: null,
  eta_seconds: null,
}
export const emptyTally: Tally = {
  parts: [{ format_id: null, share: 1, size: null, got: 0, fraction: null }],
  current: 0,
  percent: null,
  progress: { phase: 'preparing', ...nothing },
}

/** The tally after one more line. Its `progress` is what people see. */
export function tallied(tally: Tally, line: Line): Tally {
  switch (line.kind) {
    case 'live':
      return tally
    case 'plan':
      return { ...tally, parts: plannedParts(line.plan), current: 0 }
    case 'progress':
      return counted(tally, line.report)
    case 'step':
      return finishing(tally, line.name === 'Merger' ? 'merging' : 'processing')
    case 'done':
      return finishing(tally, 'processing')
  }
}

/** Speed and remaining time belonged to the download. */
const finishing = (tally: Tally, phase: 'merging' | 'processing'): Tally => ({
  ...tally,
  progress: { ...tally.progress, phase, speed: null, eta_seconds: null },
})

function plannedParts({ format_id, requested_formats }: Plan): PartState[] {
  const formats = requested_formats?.length ? requested_formats : undefined
  if (!formats) return [{ format_id: format_id ?? null, share: 1, size: null, got: 0, fraction: null }]
  const weights = weightsOf(formats)
  const sum = weights.reduce((a, b) => a + b, 0)
  return formats.map(({ format_id, filesize }, n) => ({
    format_id,
    share: (weights[n] ?? 0) / sum,
    size: filesize ?? null,
    got: 0,
    fraction: null,
  }))
}

/** Weighs the parts by size where every size is known, else by bit rate; else the first part, the video, counts nine times as much. */
export function weightsOf(formats: Part[]): number[] {
  const ways = [
    formats.map(({ filesize, filesize_approx }) => filesize ?? filesize_approx ?? 0),
    formats.map(({ tbr }) => tbr ?? 0),
  ]
  return ways.find(weights => weights.every(weight => weight > 0)) ?? formats.map((_, n) => (n === 0 ? 9 : 1))
}

function counted(tally: Tally, { format_id, progress }: FileProgress): Tally {
  const found = tally.parts.findIndex(part => part.format_id === format_id)
  const current = found === -1 ? tally.current : found
  const size = progress.total_bytes ?? progress.total_bytes_estimate ?? null
  const parts = tally.parts.map((part, n): PartState => {
    if (n !== current) return part
    // For a part that an earlier run fetched, yt-dlp reports only the size.
    const got = progress.downloaded_bytes ?? (progress.status === 'finished' ? size : null) ?? part.got
    return { ...part, size: size ?? part.size, got, fraction: fractionOf(progress, got, size) ?? part.fraction }
  })
  const percent = percentOf(parts, tally.percent)
  return { parts, current, percent, progress: shownProgress(parts, percent, progress) }
}

function fractionOf(progress: FileProgress['progress'], got: number, size: number | null): number | null {
  if (progress.status === 'finished') return 1
  if (progress.fragment_count) return Math.min(1, (progress.fragment_index ?? 0) / progress.fragment_count)
  return size ? Math.min(1, got / size) : null
}

/** `null` until the size of a part is known. Never falls, although estimates change. */
function percentOf(parts: PartState[], before: number | null): number | null {
  if (parts.every(({ fraction }) => fraction === null)) return before
  const sum = parts.reduce((all, { share, fraction }) => all + share * (fraction ?? 0), 0)
  return Math.max(before ?? 0, Math.min(100, Math.round(sum * 1000) / 10))
}

function shownProgress(parts: PartState[], percent: number | null, { speed, eta }: FileProgress['progress']): Progress {
  const sizes = parts.map(({ size }) => size)
  const got = parts.reduce((all, part) => all + part.got, 0)
  const total = sizes.every(size => size !== null) ? sizes.reduce((all, size) => all + size, 0) : null
  return {
    phase: 'downloading',
    percent,
    downloaded_bytes: Math.round(got),
    total_bytes: total === null ? null : Math.round(Math.max(total, got)),
    speed: speed ?? null,
    eta_seconds: eta == null ? null : Math.round(eta),
  }
}
