/**
 * When a failed download is tried next, by the reason of its failure. Pure. A person's own download has three attempts,
 * because the person can decide to retry. A rule's download is tried ever more slowly until it succeeds or is gone for good.
 */
import type { RunFailure, RunStart } from '../../db/downloads/run-types.ts'
import { DownloadDetail, DownloadError, max_attempts } from '../../schema/downloads/download.ts'
import type { Reason } from '../../schema/downloads/run.ts'
import { availabilityOf, type Failure } from '../../ytdlp/failures/failure.ts'
import { day, hour, processing_checks, type RetryPlan, retry_plans } from './retry-plans.ts'

/** The waits of a hold on one site: after the first failure the next download tries at once, then later each time. */
const site_waits: RetryPlan = { waits: [0, 15, hour, 3 * hour, 6 * hour, 12 * hour], later: day }

/** A premiere is checked soon after its announced time, and at least once a week before, because it may be moved. */
const premiere = { late_s: 2 * 60, least_s: 10 * 60, longest_s: 7 * 86_400 }

/** What is known of a download when an attempt at it fails. */
export type DownloadPast = Pick<RunStart, 'attempt' | 'by_rule' | 'failing'>

/** What is recorded of a failure, the time of the next attempt included. */
export function afterFailure(given: Failure, past: DownloadPast, now: Date): RunFailure {
  const failure = duringChecks(given, past)
  const { detail, is_for_log = false } = failure
  const found = {
    download_detail: is_for_log || detail === '' ? null : DownloadDetail.parse(detail),
    availability: availabilityOf(failure),
  }
  return { ...found, ...(past.by_rule ? forRule(failure, past, now) : forPerson(failure, past, now)) }
}

/** A fault of an hour does not begin the checks for a recording anew. */
const duringChecks = (failure: Failure, { failing }: DownloadPast): Failure =>
  failing?.reason === ('processing' satisfies Reason) && failure.kind === 'transient'
    ? { ...failure, kind: 'scheduled', reason: 'processing' }
    : failure

/**
 * Three attempts where time helps. An announced video is tried until it is published, and any video until the storage or the proxy is back.
 */
function forPerson(failure: Failure, { attempt, failing }: DownloadPast, now: Date): RunFailure {
  const { kind, reason, sentence } = failure
  const failures = inARow(failing, reason)
  const is_awaited = awaited_kinds.includes(kind)
  const helps = is_awaited || kind === 'transient' || kind === 'rate_limited'
  const wait_s = helps ? waitOf(failure, is_awaited ? failures : attempt) : undefined
  const later = after(wait_s, now)
  return {
    download_error: DownloadError.parse(sentence),
    next_attempt_at: (is_awaited || attempt < max_attempts ? later : null) ?? null,
    refund: is_awaited,
    reason,
    failures,
    slow_down: kind === 'rate_limited',
  }
}

/** Follows the plan of the reason. Each attempt after the first three attempts starts three further attempts. */
function forRule(failure: Failure, { attempt, failing }: DownloadPast, now: Date): RunFailure {
  const { kind, reason } = failure
  const plan = retry_plans[reason]
  const failures = inARow(failing, reason)
  const later = after(waitOf(failure, failures), now)
  const ended = plan.ends ?? failure.sentence
  const is_quick = (kind === 'transient' || kind === 'rate_limited') && attempt < max_attempts
  return {
    download_error: DownloadError.parse(
      failure.with_cookies ? failure.sentence : later ? (plan.sentence ?? failure.sentence) : ended,
    ),
    next_attempt_at: later ?? null,
    refund: awaited_kinds.includes(kind),
    resets_attempts: later !== undefined && !is_quick,
    reason,
    failures,
    by_rule: true,
    holds: plan.holds && { of: plan.holds, waits_s: holdWaits(plan) },
    // The pause lasts minutes; the hold keeps the rule's other downloads back for longer.
    slow_down: kind === 'rate_limited',
  }
}

/** Whether this attempt also takes a recording that its site still processes, because the processing of some recordings never ends. */
export const takesUnfinished = ({ failing }: Pick<DownloadPast, 'failing'>): boolean =>
  failing?.reason === ('processing' satisfies Reason) && failing.failures >= processing_checks

/** Kinds of failure that are not about the video. Their attempts do not count. */
const awaited_kinds: Failure['kind'][] = ['scheduled', 'outage']

const inARow = (failing: DownloadPast['failing'], reason: Reason) =>
  failing?.reason === reason ? failing.failures + 1 : 1
const after = (wait_s: number | undefined, now: Date) =>
  wait_s === undefined ? undefined : new Date(now.getTime() + wait_s * 1000)

/** Seconds to wait after this many failures in a row; `undefined`: the plan has ended. */
function waitOf({ reason, starts_in_s }: Failure, failures: number): number | undefined {
  if (reason === 'premiere' && starts_in_s !== undefined)
    return Math.min(Math.max(starts_in_s + premiere.late_s, premiere.least_s), premiere.longest_s)
  return waitAt(retry_plans[reason], failures)
}

function waitAt({ waits, later }: RetryPlan, failures: number): number | undefined {
  const minutes = waits[failures - 1] ?? later
  return minutes === undefined ? undefined : minutes * 60
}

/** Seconds until the next download of a hold tries: after one failure, two, and so on up to seven, whose wait repeats. */
function holdWaits(plan: RetryPlan): number[] {
  const steps = plan.holds === 'site' ? site_waits : plan
  return Array.from({ length: 7 }, (_, n) => waitAt(steps, n + 1) ?? day * 60)
}
