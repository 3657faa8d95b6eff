/** The flags of downloads in the queue. A worker names the flags whose jobs it skips for now. */
import { sharedPiece } from '../postgres/client.ts'

/** Marks every download, so that workers skip all of them outside of DOWNLOAD_HOURS. */
export const download_flag = 'download'
/** Marks the jobs of one host, so that workers skip them while the host is busy or paused. */
export const hostFlag = (video_host: string): string => `host:${video_host}`
/** Marks the jobs of one person at one host. No host name has an `@`. */
export const personFlag = (video_host: string, user_id: string): string => `${hostFlag(video_host)}@${user_id}`
/** Marks the jobs of one person, so that workers skip them while that person has a fair share of the slots. */
export const userFlag = (user_id: string): string => `user:${user_id}`
/** Marks the jobs that a person's rules queued, for one host or for all (`''`), so that workers skip them while one of them tries. */
export const ruleFlag = (user_id: string, video_host: string): string => `rule:${user_id}:${video_host}`

/**
 * Every waiting job is compared with every flag, so the flags are limited, per person and in all. A job whose flag was left out
 * is taken once, and put back until its time.
 */
export const max_flags = { per_person: 20, in_all: 200 }

/** The flags whose jobs workers skip now, as rows of `flag`, each once. A worker without a heartbeat for 15 seconds does not count. */
export const flagsSkippedNow = sharedPiece(
  sql => sql`
  select distinct flag
  from   workers, unnest(passed_over) as flag
  where  heartbeat_at > now() - interval '15 seconds'`,
)
