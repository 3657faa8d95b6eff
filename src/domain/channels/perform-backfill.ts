/**
 * One run of a backfill: reads the list of a channel from its beginning, and saves it batch by batch. A list cannot be read from
 * the middle, and what is stored already is not stored again, so every run begins at the top.
 */
import type { BackfillEnd, BackfillHandBack, StartedBackfill } from '../../db/channels/backfills.ts'
import type { Library } from '../../db/library.ts'
import { isAway } from '../../db/postgres/client.ts'
import { persist } from '../../db/postgres/persist.ts'
import { currentTime } from '../../runtime/clock.ts'
import { every } from '../../runtime/every.ts'
import { joined } from '../../runtime/within.ts'
import type { ListedEntry } from '../../schema/sources/listing.ts'
import { user_limits } from '../../schema/values/user.ts'
import type { ListingEnd } from '../../ytdlp/ask/list-videos.ts'
import type { Failure } from '../../ytdlp/failures/failure.ts'
import type { ChannelLister } from '../listings/list-channel.ts'
import { feedEntriesOf, sorter } from '../listings/listed-entries.ts'
import { applyRule } from '../rules/rules.ts'

type BackfillOutcome = 'not_wanted' | 'postponed' | 'done' | 'incomplete' | 'failed' | 'later' | 'lost'

export type BackfillParts = {
  library: Library
  listChannel: ChannelLister
  /** Aborted when this worker stops; the backfill then goes back into the queue. */
  stopping: AbortSignal
  /** Milliseconds between two heartbeats. Each one also finds out whether the backfill is still wanted. */
  beat_ms?: number
  now?: () => Date
  /** Called with why the list could not be read, for the log. */
  onFailure?(failure: { detail: string; sentence: string }): void
  /** Called with a fault of our own, for the log. */
  onFault?(fault: unknown): void
}

type Run = StartedBackfill & { channel_id: string; claim: string; has_rule: boolean }

export async function performBackfill(parts: BackfillParts, channel_id: string): Promise<BackfillOutcome> {
  const { backfills, user_id } = parts.library
  const claim = crypto.randomUUID()
  const started = await backfills.start(channel_id, claim)
  if (!started) return 'not_wanted'
  if ('free_at' in started) return 'postponed'

  const run: Run = { ...started, channel_id, claim, has_rule: false }
  if (run.attempt > max_attempts) return finish(parts, run, interrupted)
  const watch = watchRun(parts, run)
  try {
    const { rss_url, page_url } = run
    const end = await parts.listChannel({
      rss_url,
      page_url,
      // Workers take one job of a site at a time, so a run waits for no other run of the same person.
      whose: `${user_id} ${claim}`,
      signal: watch.signal,
      onEntries: saverFor(parts, run),
    })
    return await recordEnd(parts, run, end)
  } catch (cause) {
    if (cause instanceof Ended) return cause.end === 'lost' ? 'lost' : await finish(parts, run, cause.end)
    if (watch.isLost()) return 'lost'
    if (parts.stopping.aborted) return await handBack(parts, run, { run_at: null, error: null, refund: true })
    if (isAway(cause)) return await persist(() => handBack(parts, run, { run_at: null, error: null, refund: true }))
    parts.onFault?.(cause)
    return await finish(parts, run, our_fault)
  } finally {
    watch.end()
  }
}

/** Ends the listing from inside `onEntries`. */
class Ended extends Error {
  readonly end: BackfillEnd | 'lost'
  constructor(end: BackfillEnd | 'lost') {
    super('the listing is not read any further')
    this.end = end
  }
}

/** Saves one batch after the other; the list is read no further until it is saved. */
function saverFor({ library, now = currentTime }: BackfillParts, run: Run) {
  const { channel_id, claim } = run
  const sort = sorter(run)
  let read = 0
  return async (listed: ListedEntry[]): Promise<void> => {
    read += listed.length
    const entries = feedEntriesOf(listed)
    const ids = entries.map(({ video_id }) => video_id)
    const sorted = sort(entries, await library.backfills.places(channel_id, ids), now())
    const saved = await library.backfills.save(channel_id, claim, { ...sorted, found: read, channel: {} })
    if (!saved) throw new Ended('lost')
    run.found = Math.max(run.found, read)
    run.has_rule = saved.has_rule
    if (saved.left_out > 0) throw new Ended(noRoom())
  }
}

async function recordEnd(parts: BackfillParts, run: Run, end: ListingEnd): Promise<BackfillOutcome> {
  const { library, now = currentTime, onFailure } = parts
  const { image_url, page_url } = end.channel
  const nothing = { older: [], news: [], found: run.found, channel: { image_url, page_url } }
  const saved = await library.backfills.save(run.channel_id, run.claim, nothing)
  if (!saved) return 'lost'
  run.has_rule = saved.has_rule
  if (end.end !== 'incomplete') return finish(parts, run, { state: 'done', error: null })
  onFailure?.(end.failure)
  const after = afterFailure(end.failure, run, now())
  return 'state' in after ? finish(parts, run, after) : handBack(parts, run, after)
}

/** The rule is applied once, at the end: it may be for older videos, too. */
async function finish({ library, onFault }: BackfillParts, run: Run, end: BackfillEnd): Promise<BackfillOutcome> {
  const { channel_id, claim } = run
  if (run.has_rule) {
    await applyRule(library, channel_id).catch((fault: unknown) => {
      if (isAway(fault)) throw fault
      onFault?.(fault)
    })
  }
  return (await library.backfills.finish(channel_id, claim, end)) ? end.state : 'lost'
}

const handBack = async (
  { library }: BackfillParts,
  { channel_id, claim }: Run,
  how: BackfillHandBack,
): Promise<BackfillOutcome> => ((await library.backfills.handBack(channel_id, claim, how)) ? 'later' : 'lost')

const every_2_s = 2000

/** Aborts `signal` when the worker stops, and when the run has lost its claim: it was cancelled, or the channel unfollowed. */
function watchRun({ library, stopping, beat_ms = every_2_s }: BackfillParts, { channel_id, claim }: Run) {
  const lost = new AbortController()
  const beat = joined(async () => (await library.backfills.beat(channel_id, claim)) || lost.abort())
  // The database may be unavailable for a moment: that is no reason to end.
  const timer = every(beat_ms, () => beat().catch(() => {}))
  return {
    signal: AbortSignal.any([stopping, lost.signal]),
    isLost: () => lost.signal.aborted,
    end: () => clearInterval(timer),
  }
}

/**
 * Minutes until the next attempt, after the first, the second and so on. A site that asks us to slow down gets a day, and an outage too.
 */
const waits = { long: [5, 15, 30, 60, 120, 240, 480], short: [1, 5, 15] }

/** Crashes count as attempts. A graceful stop does not. */
export const max_attempts = waits.long.length + 1

type BackfillPast = { attempt: number; found: number }

/** A list that was read in part is incomplete; one that gave nothing has failed, unless the site may answer another time. */
export function afterFailure(
  { kind, sentence }: Pick<Failure, 'kind' | 'sentence'>,
  { attempt, found }: BackfillPast,
  now: Date,
): BackfillEnd | BackfillHandBack {
  if (kind === 'permanent') return { state: found > 0 ? 'incomplete' : 'failed', error: sentence }
  const slow_down = kind === 'rate_limited'
  const minutes = waits[slow_down || kind === 'outage' ? 'long' : 'short'][attempt - 1]
  if (minutes === undefined) return { state: 'incomplete', error: sentence }
  return { run_at: new Date(now.getTime() + minutes * 60_000), error: sentence, slow_down }
}

const interrupted: BackfillEnd = {
  state: 'incomplete',
  error: 'Loading was interrupted several times in a row. Try again later.',
}

const our_fault: BackfillEnd = {
  state: 'incomplete',
  error: 'Something went wrong on our side. Try again later.',
}

const noRoom = (): BackfillEnd => ({
  state: 'incomplete',
  error:
    `You have ${user_limits.videos.toLocaleString('en')} videos, the most that one person may have here. ` +
    'Unfollow a channel, then continue.',
})
