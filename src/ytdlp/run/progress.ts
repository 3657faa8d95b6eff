/** Adds up what yt-dlp tells: one percent over video and audio, which it counts from 0 to 100 each. Pure. */
import type { Progress } from '../../schema/download.ts'
import type { Line, Part, Plan, Told } from './line.ts'

/** Bytes are `null` while unknown; `share` is how much of the whole this part is, all of them together 1. */
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

/** The tally after one more line; `progress` in it is what to tell. */
export function tallied(tally: Tally, line: Line): Tally {
  switch (line.kind) {
    case 'live':
      return tally
    case 'plan':
      return { ...tally, parts: partsOf(line.plan), current: 0 }
    case 'progress':
      return counted(tally, line.told)
    case 'step':
    case 'done':
      return { ...tally, progress: { ...tally.progress, phase: 'processing', speed: null, eta_seconds: null } }
  }
}

function partsOf({ format_id, requested_formats }: Plan): PartState[] {
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

/** By size where every size is known, by bit rate where every rate is; else the first, the video, is taken for most of it. */
function weightsOf(formats: Part[]): number[] {
  const ways = [
    formats.map(({ filesize, filesize_approx }) => filesize ?? filesize_approx ?? 0),
    formats.map(({ tbr }) => tbr ?? 0),
  ]
  return ways.find(weights => weights.every(weight => weight > 0)) ?? formats.map((_, n) => (n === 0 ? 9 : 1))
}

function counted(tally: Tally, { format_id, progress }: Told): Tally {
  const found = tally.parts.findIndex(part => part.format_id === format_id)
  const current = found === -1 ? tally.current : found
  const size = progress.total_bytes ?? progress.total_bytes_estimate ?? null
  const parts = tally.parts.map((part, n): PartState => {
    if (n !== current) return part
    // Of a part that an earlier run has fetched, only the size is told.
    const got = progress.downloaded_bytes ?? (progress.status === 'finished' ? size : null) ?? part.got
    return { ...part, size: size ?? part.size, got, fraction: fractionOf(progress, got, size) ?? part.fraction }
  })
  const percent = percentOf(parts, tally.percent)
  return { parts, current, percent, progress: toldOf(parts, percent, progress) }
}

function fractionOf(progress: Told['progress'], got: number, size: number | null): number | null {
  if (progress.status === 'finished') return 1
  if (progress.fragment_count) return Math.min(1, (progress.fragment_index ?? 0) / progress.fragment_count)
  return size ? Math.min(1, got / size) : null
}

/** `null` until a part tells its size; estimates change, so what has been told never falls. */
function percentOf(parts: PartState[], before: number | null): number | null {
  if (parts.every(({ fraction }) => fraction === null)) return before
  const sum = parts.reduce((all, { share, fraction }) => all + share * (fraction ?? 0), 0)
  return Math.max(before ?? 0, Math.min(100, Math.round(sum * 1000) / 10))
}

function toldOf(parts: PartState[], percent: number | null, { speed, eta }: Told['progress']): Progress {
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
