/** The payloads of background jobs. Each but one carries its owner, so that the worker is scoped too. */
import { z } from 'zod'
import { WebUrl } from './feed.ts'
import { UserId } from './user.ts'

export const DownloadJob = z.object({ user_id: UserId, video_id: z.string() })
export type DownloadJob = z.infer<typeof DownloadJob>

/** One fetch serves everybody who follows the address: the only job without an owner. */
export const RefreshFeedJob = z.object({ rss_url: WebUrl })
export type RefreshFeedJob = z.infer<typeof RefreshFeedJob>

/** Whose channel such a fetch is saved to. */
export const Follower = z.object({ user_id: UserId, channel_id: z.string() })
export type Follower = z.infer<typeof Follower>

export const ImportJob = z.object({ user_id: UserId, import_id: z.uuid() })
export type ImportJob = z.infer<typeof ImportJob>
