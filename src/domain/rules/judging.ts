/** The decisions of a rule about videos, without effects: the same for requesting downloads and for showing a preview. */
import { type Judged, older_than_rule, type Pattern, patternOf, type Rule } from '../../schema/rules/rule.ts'
import { lengthWords } from '../../schema/values/words.ts'

/**
 * `reason`: why the rule does not request the video now, in a few words; null: the rule requests it. `limit`: the video waits for room or
 * for the next day, and so do all older ones.
 */
export type Verdict = { video_id: string; reason: string | null; limit?: 'room' | 'day' }

/**
 * The verdict on each video, the newest first. `left_today`: how many the rule may still request today; null: any number.
 * With `keep_newest`, a video that newer ones would push out at once is not requested. Files and downloads under way count; failed
 * downloads and deleted files make room for older videos.
 */
export function judge(rule: Rule, judged: Judged[], left_today: number | null = null): Verdict[] {
  const reasonAgainst = reasonsOf(rule)
  let room = rule.keep_newest ?? Infinity
  let left = left_today ?? Infinity
  // Of two equally new videos, a video that is kept already comes first.
  const [kept, others] = [judged.filter(isHeld), judged.filter(video => !isHeld(video))]
  return [...kept, ...others].toSorted(newestFirst).map(video => {
    const { video_id, state } = video
    if (state === 'held') room--
    const against = reasons_by_state[state] ?? byMark(rule, video) ?? reasonAgainst(video)
    if (against !== null) return { video_id, reason: against }
    if (room <= 0) return { video_id, reason: `Only the newest ${rule.keep_newest} are kept`, limit: 'room' }
    room--
    if (left <= 0) return { video_id, reason: `Next day (UTC): at most ${rule.most_per_day} per day`, limit: 'day' }
    left--
    return { video_id, reason: null }
  })
}

const isHeld = ({ state }: Judged) => state === 'held'
const newestFirst = (a: Judged, b: Judged) => b.sort_at.getTime() - a.sort_at.getTime()

export const reasons_by_state: Record<Judged['state'], string | null> = {
  new: null,
  held: 'Already downloaded or queued',
  spent: 'Requested before',
  earlier: older_than_rule,
}

function byMark({ delete_watched_days }: Rule, { was_watched, was_dismissed }: Judged) {
  if (was_dismissed) return 'Hidden'
  // A watched file that the rule would delete soon is not downloaded first.
  return delete_watched_days !== null && was_watched ? 'Watched already' : null
}

type ConditionFacts = Pick<Judged, 'title' | 'video_url'> &
  Partial<Pick<Judged, 'duration_seconds' | 'live_status' | 'availability'>>

/** Whether the conditions of the rule let a video pass. */
export function fits(rule: Rule): (video: ConditionFacts) => boolean {
  const reasonAgainst = reasonsOf(rule)
  return video => reasonAgainst(video) === null
}

/** The first reason against a video, by the conditions of the rule; null: it fits. */
export function reasonsOf(rule: Rule): (video: ConditionFacts) => string | null {
  const matches = rule.title_pattern === null ? everything : (patternOf(rule.title_pattern) ?? nothing)
  const [wanted, unwanted] = [rule.title_words.map(folded), rule.without_words.map(folded)]
  return video => {
    const title = folded(video.title)
    if (rule.skip_shorts && isShort(video)) return 'Short'
    if (wanted.length > 0 && !wanted.some(word => title.includes(word)))
      return `Title lacks: ${rule.title_words.join(', ')}`
    const found = unwanted.findIndex(word => title.includes(word))
    if (found >= 0) return `Title contains: ${rule.without_words[found]}`
    if (!matches(video.title)) return `Title does not match: ${rule.title_pattern}`
    return closed(video) ?? byLive(rule, video) ?? byLength(rule, video)
  }
}

/** Most closed videos open some day, and are then judged again. */
function closed({ availability, live_status }: ConditionFacts): string | null {
  if (availability === 'removed') return 'No longer on the site'
  if (availability === 'private') return 'Private'
  if (availability === 'members_only') return 'Members only'
  if (live_status === 'upcoming') return 'Not published yet'
  return live_status === 'live' ? 'Live now' : null
}

function byLive({ live }: Rule, { live_status }: ConditionFacts): string | null {
  if (live === 'any') return null
  if (live_status == null) return 'Unknown whether it was live'
  const was_live = live_status === 'was_live'
  if (live === 'only') return was_live ? null : 'Not a recording of a live stream'
  return was_live ? 'Recording of a live stream' : null
}

function byLength({ min_seconds, max_seconds }: Rule, { duration_seconds }: ConditionFacts): string | null {
  if (min_seconds === null && max_seconds === null) return null
  if (duration_seconds == null) return 'Length unknown'
  if (min_seconds !== null && duration_seconds < min_seconds) return `Shorter than ${lengthWords(min_seconds)}`
  return max_seconds !== null && duration_seconds > max_seconds ? `Longer than ${lengthWords(max_seconds)}` : null
}

const everything: Pattern = () => true
/** For a stored expression that is no longer valid: select nothing rather than everything. */
const nothing: Pattern = () => false

/** Recognises a Short by its address or title, because feeds do not give the length of a video. */
const isShort = ({ title, video_url }: ConditionFacts): boolean =>
  /^https?:\/\/[^/?#]+\/shorts\//i.test(video_url) || /(?<!\S)#shorts?(?![\p{L}\p{N}_])/iu.test(title)

const folded = (text: string) => text.normalize('NFKC').toLowerCase()

const week_ms = 7 * 24 * 60 * 60 * 1000
/** Posts of the last quarter of a year say how many there will be. */
const weeks_counted = 13

/**
 * How many of these videos a week fit the rule, of those posted in the last quarter of a year. Null: nothing was posted then. With
 * fewer weeks known, as many are counted.
 */
export function perWeek(rule: Rule, newest: Judged[], now: Date): number | null {
  const from = now.getTime() - weeks_counted * week_ms
  const posted = newest.filter(({ sort_at }) => sort_at.getTime() >= from && sort_at.getTime() <= now.getTime())
  const oldest = Math.min(...posted.map(({ sort_at }) => sort_at.getTime()))
  if (posted.length < 2) return null
  const knows_all = newest.some(({ sort_at }) => sort_at.getTime() < from)
  const weeks = knows_all ? weeks_counted : Math.max((now.getTime() - oldest) / week_ms, 1)
  const fitting = posted.filter(fits(rule)).length / weeks
  return Math.min(fitting, (rule.most_per_day ?? Infinity) * 7)
}
