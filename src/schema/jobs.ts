/** The payloads of background jobs. All but two carry their owner, so that the worker is scoped too. */
import { z } from 'zod'
import { WebUrl } from './feed.ts'
import { UserId } from './user.ts'

export const DownloadJob = z.object({ user_id: UserId, video_id: z.string() })
export type DownloadJob = z.infer<typeof DownloadJob>

/** One fetch serves everybody who follows the address, so the job has no owner. */
export const RefreshFeedJob = z.object({ rss_url: WebUrl })
export type RefreshFeedJob = z.infer<typeof RefreshFeedJob>

/** A host as pauses name it, with `feeds:` before it where feeds were refused. Serves everyone, so it has no owner. */
export const LookAtHostJob = z.object({ host: z.string().regex(/^(feeds:)?[^/?#@\s]{1,260}$/) })
export type LookAtHostJob = z.infer<typeof LookAtHostJob>

/** Whose channel such a fetch is saved to. */
export const Follower = z.object({ user_id: UserId, channel_id: z.string() })
export type Follower = z.infer<typeof Follower>

export const ImportJob = z.object({ user_id: UserId, import_id: z.uuid() })
export type ImportJob = z.infer<typeof ImportJob>
