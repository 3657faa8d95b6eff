/** The jobs that check one feed. Leaves the decision when a feed is checked to its callers. */
import type { Piece, Queryable } from '../postgres/client.ts'

/** One key per address: a feed is checked once for all its followers. */
export const feedJobKey = (sql: Queryable, rss_url: Piece) =>
  sql`'refresh:' || encode(sha256(convert_to(${rss_url}, 'utf8')), 'hex')`

/** Before the checks by the clock. Imports and housekeeping run first where one worker does all tasks. */
const pushed_priority = 5

/** A part of a query: adds the job for a check because of a push, or moves the waiting one to this time. */
export const addPushedCheck = (sql: Queryable, rss_url: Piece, run_at: Piece) => sql`
  graphile_worker.add_job(
    'refresh-feed',
    payload      := json_build_object('rss_url', ${rss_url}, 'pushed', true),
    job_key      := ${feedJobKey(sql, rss_url)},
    run_at       := ${run_at},
    max_attempts := 1,
    priority     := ${pushed_priority})`
