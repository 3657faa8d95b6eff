/**
 * Decides about renewing yt-dlp: when to check, which version to use, which failures a newer version may fix, and how long a new version
 * is judged. Pure. `renew.ts` acts on it.
 */
import type { Renewal } from '../../schema/service/renewal.ts'
import type { Failure } from '../failures/failure.ts'
import { isAtLeast } from '../process/version.ts'

const hour_ms = 3_600_000
const since = (moment: string | null | undefined, now: Date) => (moment ? now.getTime() - Date.parse(moment) : Infinity)
const within = (elapsed_ms: number, hours: number) => elapsed_ms >= 0 && elapsed_ms < hours * hour_ms

/**
 * Once a day; once an hour after a check that failed; and once in three hours while downloads fail. One person can cause those failures, so
 * the time between two checks is all that they decide.
 */
export function isCheckDue({ checked_at, outcome }: Renewal, is_failing: boolean, now: Date): boolean {
  const pause_hours = is_failing ? 3 : 24
  return !within(since(checked_at, now), outcome === 'failed' ? 1 : pause_hours)
}

/**
 * Whether to switch to the latest version: it is newer than `own`, or of another channel. A version that was worse is never
 * wanted again; one that failed its test is tried again a day later. `own`: our copy's version; `undefined`: none runs.
 */
export function isWanted(
  latest: string,
  own: string | undefined,
  { refused, failed, channel }: Renewal,
  wanted_channel: Renewal['channel'],
  now: Date,
): boolean {
  if (refused.includes(latest)) return false
  if (own === undefined) return true
  if (failed?.version === latest && within(since(failed.at, now), 20)) return false
  return latest !== own && (channel !== wanted_channel || isAtLeast(latest, own))
}

/** Whether a newer yt-dlp may fix this failure: it did not understand the site, or the site refused its request. */
export const mayBeMended = ({ kind, detail }: Pick<Failure, 'kind' | 'detail'>): boolean =>
  kind !== 'local' &&
  kind !== 'outage' &&
  /unable to extract|extraction failed|failed to (extract|parse|decrypt)|player response|nsig|signature|please report this issue|latest version|http error 403|requested format is not available|only images are available|keyerror|typeerror|jsondecode/i.test(
    detail,
  )

/** A worse version shows within a day. Later failures are caused by the site. */
export const isFresh = ({ switched_at, outcome }: Renewal, now: Date): boolean =>
  outcome !== 'rolled_back' && within(since(switched_at, now), 24)
