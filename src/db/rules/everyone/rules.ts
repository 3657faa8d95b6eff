/** What rules have to do, over all people. */
import type { DownloadJob, Follower } from '../../../schema/service/jobs.ts'
import { filesNotKept } from '../../downloads/retention.ts'
import type { Everyone } from '../../everyone.ts'

/** `by_watching`: only because it was watched. */
type FileNotKept = DownloadJob & { by_watching: boolean }

/** Files that the rules of their channels no longer keep. */
export const filesNotKeptByRules = (sql: Everyone): Promise<FileNotKept[]> => sql<FileNotKept[]>`
  select user_id, video_id, by_watching
  from   (${filesNotKept(sql, sql`select * from channel_rules where on_since is not null`)}) file
  where  not is_only_copy
  limit  500`

/**
 * Rules that have videos to judge without a refresh of their feed: older ones of a rule that was changed or whose channel was listed,
 * those whose facts are known now, and those that waited for the next day. The longest due come first, in turns of their people.
 */
export const dueRules = (sql: Everyone, limit: number): Promise<Follower[]> => sql<Follower[]>`
  select   user_id, channel_id
  from     (
    select user_id, channel_id, apply_at, row_number() over (partition by user_id order by apply_at) as turn
    from   channel_rules
    where  apply_at <= now()
  ) due
  order by turn, apply_at
  limit    ${limit}`
