/** The flags of downloads in the queue. A worker names the flags whose jobs it skips for now. */
import { sharedPiece } from '../postgres/client.ts'

/** Marks every download, so that workers skip all of them outside of DOWNLOAD_HOURS. */
export const download_flag = 'download'
/** Marks the jobs of one host, so that workers skip them while the host is busy or paused. */
export const hostFlag = (video_host: string): string => `host:${video_host}`
/** Marks the jobs of one person, so that workers skip them while that person has a fair share of the slots. */
export const userFlag = (user_id: string): string => `user:${user_id}`
/** Marks the jobs that a person's rules queued, for one host or for all (`''`), so that workers skip them while one of them tries. */
export const ruleFlag = (user_id: string, video_host: string): string => `rule:${user_id}:${video_host}`

/** The flags whose jobs workers skip now, as rows of `flag`, each once. A worker without a heartbeat for 15 seconds does not count. */
export const flagsSkippedNow = sharedPiece(
  sql => sql`
  select distinct flag
  from   workers, unnest(passed_over) as flag
  where  heartbeat_at > now() - interval '15 seconds'`,
)
