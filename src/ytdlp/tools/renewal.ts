/**
 * Decides about renewing yt-dlp: when to check, which version to use, when many failures mean that yt-dlp is too old, and when
 * a new version is worse than the one before. Pure. `renew.ts` acts on it.
 */
import type { Renewal } from '../../schema/service/renewal.ts'
import type { Failure } from '../run/failure.ts'
import { isAtLeast } from '../run/version.ts'

const hour_ms = 3_600_000
const since = (moment: string | null | undefined, now: Date) => (moment ? now.getTime() - Date.parse(moment) : Infinity)
const within = (elapsed_ms: number, hours: number) => elapsed_ms >= 0 && elapsed_ms < hours * hour_ms

/** Once a day; once an hour after a failed check or during a wave of failures. */
export function isCheckDue({ checked_at, outcome }: Renewal, wave: boolean, now: Date): boolean {
  return !within(since(checked_at, now), wave || outcome === 'failed' ? 1 : 24)
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

/** How one person's downloads from one host ended, in a span of time. `failed` counts only what a newer yt-dlp may fix. */
export type Tally = { person: string; host: string; succeeded: number; failed: number }

/** At most this many failures count per person, so that one person alone never causes a wave. */
const max_failures_of_person = 3
const failures_of_wave = 5
const vouched_failures_of_wave = 3

/**
 * Whether so many downloads failed in the last hour that we should look for a newer version now: five failures, at most three
 * of them per person; or three at hosts that worked the day before, for another person or for the only person who downloads.
 */
export function isWave(last_hour: Tally[], day_before: Tally[]): boolean {
  const failing = last_hour.filter(({ failed }) => failed > 0)
  const capped = [...failuresByPerson(failing).values()].reduce(
    (sum, failed) => sum + Math.min(failed, max_failures_of_person),
    0,
  )
  if (capped >= failures_of_wave) return true
  const is_alone = new Set([...last_hour, ...day_before].map(({ person }) => person)).size === 1
  const vouched = failing.filter(({ person, host }) =>
    day_before.some(
      earlier => earlier.host === host && earlier.succeeded > 0 && (is_alone || earlier.person !== person),
    ),
  )
  return vouched.reduce((sum, { failed }) => sum + failed, 0) >= vouched_failures_of_wave
}

/**
 * Whether the new version is worse than the one before. Counts only hosts that worked with the old version, and only people for
 * whom nothing from these hosts worked since the switch. Worse means that they had three failures, that they are at least two
 * (or the only person who downloads here), and that they outnumber the people for whom something worked. If they are fewer
 * than half of all people, only hosts that worked for someone else count: two accounts with a site of their own must not take
 * a version from everyone.
 */
export function isWorse(before: Tally[], after: Tally[]): boolean {
  const worked = new Set(before.filter(({ succeeded, failed }) => succeeded > failed).map(({ host }) => host))
  const judged = after.filter(({ host }) => worked.has(host))
  const content = new Set(judged.filter(({ succeeded }) => succeeded > 0).map(({ person }) => person))
  const unhappy = judged.filter(({ person }) => !content.has(person))
  const people = new Set([...before, ...after].map(({ person }) => person)).size
  const all_failing = failuresByPerson(unhappy)
  const isVouched = ({ host }: Tally) =>
    before.some(earlier => earlier.host === host && earlier.succeeded > 0 && !all_failing.has(earlier.person))
  const failing = all_failing.size * 2 < people ? failuresByPerson(unhappy.filter(isVouched)) : all_failing
  const failures = [...failing.values()].reduce((sum, failed) => sum + failed, 0)
  return failures >= 3 && failing.size >= Math.min(2, people) && failing.size > content.size
}

/** A worse version shows within a day. Later failures are caused by the site. */
export const isFresh = ({ switched_at, outcome }: Renewal, now: Date): boolean =>
  outcome !== 'rolled_back' && within(since(switched_at, now), 24)

function failuresByPerson(tallies: Tally[]): Map<string, number> {
  const failures = new Map<string, number>()
  for (const { person, failed } of tallies) if (failed > 0) failures.set(person, (failures.get(person) ?? 0) + failed)
  return failures
}
