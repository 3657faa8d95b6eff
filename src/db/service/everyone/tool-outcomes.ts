/** Counts how downloads ended with each version of yt-dlp, over users and hosts, and tells what this says about a version. */
import type { UserId } from '../../../schema/values/user.ts'
import type { Everyone } from '../../everyone.ts'
import { firstValue, onlyValue } from '../../postgres/client.ts'

/** A version is compared with the days before it; older outcomes are not needed. */
const kept_days = 8

export type ToolOutcome = { user_id: UserId; video_id: string; ytdlp_version: string; failed: boolean }

export async function recordToolOutcome(
  sql: Everyone,
  { user_id, video_id, ytdlp_version, failed }: ToolOutcome,
): Promise<void> {
  await sql`
    insert into tool_outcomes (user_id, host, ytdlp_version, failed)
    select user_id, coalesce(video_host, ''), ${ytdlp_version}, ${failed}
    from   video_entries
    where  user_id = ${user_id} and video_id = ${video_id}
    limit  1`
}

/** Whether a download has failed since then in a way that a newer yt-dlp may fix. `null`: at any time. */
export const hasFailedSince = (sql: Everyone, then: string | null): Promise<boolean> =>
  onlyValue<boolean>(sql`
    select exists (
      select from tool_outcomes
      where  failed and ended_at >= coalesce(${then}::timestamptz, '-infinity')) as has_failed`)

/**
 * The number of downloads that failed since the switch to this version, at hosts that mostly worked before and from which nothing worked
 * since. 0 unless there are three, of more than half of all people who download: what they lost outweighs what the others may lose.
 */
export async function failuresSinceSwitch(sql: Everyone, version: string, switched_at: string): Promise<number> {
  const failures = await firstValue<number>(sql`
    with worked as (
      select   host
      from     tool_outcomes
      where    ended_at < ${switched_at} and ytdlp_version <> ${version}
      group by host
      having   count(*) filter (where not failed) > count(*) filter (where failed)
    ), broken as (
      select   host, count(*) as failures, array_agg(user_id) as people
      from     tool_outcomes
      join     worked using (host)
      where    ended_at >= ${switched_at} and ytdlp_version = ${version}
      group by host
      having   bool_and(failed)
    )
    select sum(failures)::int as failures
    from   broken
    having sum(failures) >= 3
    and    2 * (select count(distinct person) from broken, unnest(people) person)
             > (select count(distinct user_id) from tool_outcomes)`)
  return failures ?? 0
}

export async function forgetToolOutcomes(sql: Everyone): Promise<void> {
  await sql`delete from tool_outcomes where ended_at < now() - ${kept_days} * interval '1 day'`
}
