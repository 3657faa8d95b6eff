/** Counts how downloads ended with each version of yt-dlp, over users and hosts. */
import type { UserId } from '../../../schema/values/user.ts'
import type { Everyone } from '../../everyone.ts'

/** A version is compared with the days before it; older outcomes are not needed. */
const kept_days = 8

export type ToolOutcome = { user_id: UserId; video_id: string; ytdlp_version: string; failed: boolean }

export async function noteToolOutcome(
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

/** A span of time that excludes its end; and the versions of yt-dlp: `only` one, all `but` one, or all. */
type Span = { from: Date; to: Date; only?: string; but?: string }
type OutcomeTally = { person: string; host: string; succeeded: number; failed: number }

export async function tallyToolOutcomes(sql: Everyone, { from, to, only, but }: Span): Promise<OutcomeTally[]> {
  return sql<OutcomeTally[]>`
    select user_id                            as person,
           host,
           count(*) filter (where not failed) as succeeded,
           count(*) filter (where failed)     as failed
    from   tool_outcomes
    where  ended_at >= ${from} and ended_at < ${to}
    and    ${only === undefined ? sql`true` : sql`ytdlp_version = ${only}`}
    and    ${but === undefined ? sql`true` : sql`ytdlp_version <> ${but}`}
    group by user_id, host`
}

export async function forgetToolOutcomes(sql: Everyone): Promise<void> {
  await sql`delete from tool_outcomes where ended_at < now() - ${kept_days} * interval '1 day'`
}
