/**
 * The decisions about renewing yt-dlp, pure: when to look, which version to take, when many failures mean that yt-dlp is
 * too old, and when a new version is worse than the one before. What is done about it is in `renew.ts`.
 */
import type { Renewal } from '../../schema/renewal.ts'
import type { Failure } from '../run/failure.ts'
import { isAtLeast } from '../run/flags.ts'

const hour_ms = 3_600_000
const since = (moment: string | null | undefined, now: Date) => (moment ? now.getTime() - Date.parse(moment) : Infinity)
const within = (elapsed_ms: number, hours: number) => elapsed_ms >= 0 && elapsed_ms < hours * hour_ms

/** Once a day; after a check that failed, or while downloads fail in numbers, once an hour. */
export function isCheckDue({ checked_at, outcome }: Renewal, wave: boolean, now: Date): boolean {
  return !within(since(checked_at, now), wave || outcome === 'failed' ? 1 : 24)
}

/**
 * Newer than `own`, or from another channel than it came from; never one that was worse, and one that failed its test only a
 * day later. `own`: the version of our copy that runs, undefined if none does.
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

/** Failures that a newer yt-dlp may mend: it did not understand the site, or the site refused what it asked for. */
export const mayBeMended = ({ kind, detail }: Pick<Failure, 'kind' | 'detail'>): boolean =>
  kind !== 'local' &&
  /unable to extract|extraction failed|failed to (extract|parse|decrypt)|player response|nsig|signature|please report this issue|latest version|http error 403|requested format is not available|only images are available|keyerror|typeerror|jsondecode/i.test(
    detail,
  )

/** How the downloads of one person from one host ended, in a span of time. `failed`: only what may be mended. */
export type Tally = { person: string; host: string; succeeded: number; failed: number }

/** One person counts for at most so many failures, so that one person never makes a wave. */
const most_of_one = 3
const wave_failures = 5
const vouched_failures = 3

/**
 * Whether the failures of the last hour are so many that a newer version should be looked for now.
 * Either five failures, of which one person counts for three at most; or three at hosts that worked the day before: for
 * another person, or for the only person who downloads here.
 */
export function isWave(last_hour: Tally[], day_before: Tally[]): boolean {
  const failing = last_hour.filter(({ failed }) => failed > 0)
  const capped = [...failuresByPerson(failing).values()].reduce((sum, failed) => sum + Math.min(failed, most_of_one), 0)
  if (capped >= wave_failures) return true
  const is_alone = new Set([...last_hour, ...day_before].map(({ person }) => person)).size === 1
  const vouched = failing.filter(({ person, host }) =>
    day_before.some(
      earlier => earlier.host === host && earlier.succeeded > 0 && (is_alone || earlier.person !== person),
    ),
  )
  return vouched.reduce((sum, { failed }) => sum + failed, 0) >= vouched_failures
}

/**
 * Whether the version in use since the switch is worse than the one before.
 * Only hosts count that worked with the old version. Worse means: three failures there since the switch, by people for whom
 * nothing from these hosts has worked since, and these are more than the people for whom something has. There must be two of
 * them, unless only one person downloads here at all. Where they are fewer than half of all people, only hosts count that
 * worked for someone else: two accounts with a site of their own must not take a version from everyone.
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

/** A worse version shows soon; later failures are the site's doing. */
export const isFresh = ({ switched_at, outcome }: Renewal, now: Date): boolean =>
  outcome !== 'rolled_back' && within(since(switched_at, now), 24)

function failuresByPerson(tallies: Tally[]): Map<string, number> {
  const failures = new Map<string, number>()
  for (const { person, failed } of tallies) if (failed > 0) failures.set(person, (failures.get(person) ?? 0) + failed)
  return failures
}
