/** The payloads of background jobs. Each carries its owner, so that the worker is scoped too. */
import { z } from 'zod'
import { UserId } from './user.ts'

export const DownloadJob = z.object({ user_id: UserId, video_id: z.string() })
export type DownloadJob = z.infer<typeof DownloadJob>

export const RefreshChannelJob = z.object({ user_id: UserId, channel_id: z.string() })
export type RefreshChannelJob = z.infer<typeof RefreshChannelJob>
