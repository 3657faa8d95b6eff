/** Downloads many videos at once: how many and how large they are, whether to ask first, requesting them, and taking that back. */
import type { FileRate, ScopeLength } from '../../db/downloads/scopes.ts'
import type { Library } from '../../db/library.ts'
import { currentTime } from '../../runtime/clock.ts'
import {
  max_downloads_per_request,
  type Requested,
  type Scope,
  type ScopeOf,
  type ScopeOutlook,
  type ScopeQuestion,
  type ScopeSize,
} from '../../schema/downloads/download-api.ts'
import type { Quality } from '../../schema/downloads/quality.ts'
import type { Files } from '../../store/files.ts'
import { getChannel } from '../get.ts'
import { freeBytes } from './space.ts'

export async function scopeOutlook(library: Library, of: ScopeOf): Promise<ScopeOutlook> {
  const finding = of.channel_id === undefined ? undefined : getChannel(library, of.channel_id)
  const [lengths, rates] = await Promise.all([
    library.scopes.lengths(of, yearStart(currentTime())),
    library.scopes.rates(),
    finding,
  ])
  return sizesOf(lengths, rates)
}

/** `undefined`: there are few, and room for them, so they can be queued without a question. */
export async function scopeQuestion(
  library: Library,
  files: Files,
  scope: Scope,
  service_bytes: number,
): Promise<ScopeQuestion | undefined> {
  const [outlook, free_bytes, { on_disk_bytes }, quota_bytes] = await Promise.all([
    scopeOutlook(library, scope),
    freeBytes(files),
    library.videos.tally(),
    library.space.quota(service_bytes),
  ])
  const size = outlook[scope.which]
  const quota_left = quota_bytes === null ? null : Math.max(0, quota_bytes - on_disk_bytes)
  const room = Math.min(free_bytes ?? Number.POSITIVE_INFINITY, quota_left ?? Number.POSITIVE_INFINITY)
  return size.count > 0 && (size.count > max_without_question || size.bytes > room)
    ? { ...size, free_bytes, quota_left }
    : undefined
}

/** More than this many are not queued without a question. */
const max_without_question = 50

/** `requested_at`: the same for all of them, so that they can be taken back together. */
export async function requestScope(library: Library, scope: Scope, now = currentTime()): Promise<Requested[]> {
  if (scope.channel_id !== undefined) await getChannel(library, scope.channel_id)
  const video_ids = await library.scopes.ids(scope, yearStart(now), max_downloads_per_request)
  const requested: Requested[] = []
  // In parts, so that other changes of these videos wait for a moment only.
  for (let from = 0; from < video_ids.length; from += in_one_statement) {
    const results = await library.downloads.request(video_ids.slice(from, from + in_one_statement), 'person', now)
    for (const [video_id, result] of results) requested.push({ video_id, result })
  }
  return requested
}

const in_one_statement = 500

/** Cancels the downloads that were requested at that time and have not started. Returns how many. */
export const takeBack = async (library: Library, requested_at: Date): Promise<number> =>
  (await library.downloads.cancelRequest(requested_at)).length

/** A year begins in UTC, so that the menu and the API count the same videos. */
const yearStart = (now: Date) => new Date(Date.UTC(now.getUTCFullYear(), 0, 1))

/** Videos without a known length count as one of median length. */
export function sizesOf(lengths: ScopeLength[], rates: FileRate[]): ScopeOutlook {
  const known = new Map(rates.map(({ quality, bytes_per_second }) => [quality, bytes_per_second]))
  const bytesOf = ({ quality, seconds, unknown, median_seconds }: ScopeLength) =>
    (seconds + unknown * (median_seconds ?? usual_seconds)) * (known.get(quality) ?? usual_rates[quality])
  const sizeOf = (which: Scope['which']): ScopeSize => {
    const parts = lengths.filter(length => length.which === which)
    return {
      count: parts.reduce((sum, { count }) => sum + count, 0),
      bytes: Math.round(parts.reduce((sum, part) => sum + bytesOf(part), 0)),
    }
  }
  return { newest: sizeOf('newest'), unwatched: sizeOf('unwatched'), year: sizeOf('year'), all: sizeOf('all') }
}

const usual_seconds = 600

/** Bytes of one second of video, until the person has a file of that quality: H.264 as large sites encode it. */
const usual_rates: Record<Quality, number> = {
  best: 400_000,
  '2160': 1_500_000,
  '1440': 800_000,
  '1080': 350_000,
  '720': 190_000,
  '480': 110_000,
  '360': 70_000,
  compatible: 350_000,
  audio: 16_000,
  mp3: 25_000,
}
