/**
 * Decides on a pause when a host refuses a scheduled fetch.
 *
 * A refused feed waits as long as the host asks. A second feed of the same host pauses all feeds of the host for 5
 * minutes, unless both feeds belong to one person and others follow feeds there. A refusal after a redirect belongs to
 * the host that answered. Feeds and downloads are paused separately.
 */
import type { UserId } from '../../../schema/values/user.ts'
import type { Everyone } from '../../everyone.ts'
import type { Queryable } from '../../postgres/client.ts'
import { check_every_s, requestHostCheck } from '../../queue/host-checks.ts'
import { feeds_prefix, first_pause_s, hostOf, pauseHost } from '../../queue/host-pauses.ts'

export type RefusedFeed = { rss_url: string; host: string; retry_after_s?: number | undefined; reason: string }

/**
 * `host` refused a scheduled fetch. The first refusal queues a check of the host. The second feed within minutes pauses the host
 * for a short time; only the check can make the pause longer. A person can choose feeds that always refuse. So where others
 * follow feeds of this host too, both feeds must not belong to one person.
 */
export const noteRefusedFeed = (sql: Everyone, { rss_url, host, retry_after_s, reason }: RefusedFeed): Promise<void> =>
  sql.begin(async tx => {
    const feeds = feeds_prefix + host
    const [follower] = await tx<{ user_id: UserId }[]>`
      select user_id from channels where rss_url = ${rss_url} order by user_id limit 1`
    if (!follower || (await requestHostCheck(tx, feeds, { ...follower, rss_url }))) return
    const [other] = await tx`
      select from host_looks checked
      where  host = ${feeds} and rss_url <> ${rss_url} and looked_at >= now() - ${check_every_s} * interval '1 second'
      and    (${ofTwoPeople(tx, rss_url)} or not ${isFollowedByOthers(tx, rss_url, host)})`
    if (other) await pauseHost(tx, feeds, { retry_after_s, max_s: first_pause_s, reason })
  })

const ofTwoPeople = (tx: Queryable, rss_url: string) => tx`
  exists (
    select from channels one
    join   channels other on other.user_id <> one.user_id
    where  one.rss_url = ${rss_url} and other.rss_url = checked.rss_url)`

const isFollowedByOthers = (tx: Queryable, rss_url: string, host: string) => tx`
  exists (
    select from channels one
    where  ${hostOf(tx, tx`one.rss_url`)} = ${host}
    and    user_id not in (select user_id from channels where rss_url = ${rss_url} or rss_url = checked.rss_url))`
