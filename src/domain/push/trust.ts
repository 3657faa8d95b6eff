/**
 * Decides how much the pushes of a feed are trusted, and what a check of the feed says about them. Pure.
 *
 * Hubs stop without a word, so a feed is always checked by the clock too: more slowly once pushes have announced new videos twice in
 * a row, and at the usual pace again as soon as a check by the clock finds videos that no push announced.
 */
import type { CheckNote, Subscription } from '../../schema/push/push.ts'

/** Checks in a row that found new videos because of a push. */
const proven_after = 2

export const isActive = ({ state, lease_until }: Subscription, now: Date): boolean =>
  state === 'active' && lease_until !== null && lease_until > now

export const isProven = (push: Subscription, now: Date): boolean => isActive(push, now) && push.streak >= proven_after

/** Seconds after a check that found nothing new, although a push was signed: the copy that the site served may have been an old one. */
const recheck_after_s = [60, 300]

export type CheckResult = {
  /** New videos were found. */
  has_news: boolean
  /** Known videos have changed, which a hub announces too, or the host wants fewer requests. */
  is_enough: boolean
  /** The check before this one. Null: this is the first one. */
  before: Date | null
  now: Date
}

/** `undefined`: there is nothing to note. */
export function noteOfCheck(
  push: Subscription,
  { has_news, is_enough, before, now }: CheckResult,
): CheckNote | undefined {
  const { push_id, check_at, rechecks } = push
  if (check_at !== null && has_news) return { push_id, found_by: 'push', checked: check_at }
  if (check_at !== null && check_at <= now) {
    const wait_s = is_enough ? undefined : recheck_after_s[rechecks]
    const recheck_at = wait_s === undefined ? undefined : new Date(now.getTime() + wait_s * 1000)
    return { push_id, checked: check_at, ...(!is_enough && { is_fruitless: true }), ...(recheck_at && { recheck_at }) }
  }
  // Only videos that appeared while the hub was already announcing count against it.
  const could_announce =
    isActive(push, now) && before !== null && push.active_since !== null && push.active_since < before
  return check_at === null && has_news && could_announce ? { push_id, found_by: 'poll' } : undefined
}
