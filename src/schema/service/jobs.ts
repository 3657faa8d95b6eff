/** The payloads of jobs. A job about one person's data names its owner, so that the task gets that person's library. */
import { z } from 'zod'
import { WebUrl } from '../sources/feed.ts'
import { UserId } from '../values/user.ts'

export const DownloadJob = z.object({ user_id: UserId, video_id: z.string() })
export type DownloadJob = z.infer<typeof DownloadJob>

/** Downloads that a person just requested, and that others may have. */
export const ShareRequestedJob = z.object({ user_id: UserId, video_ids: z.array(z.string()) })
export type ShareRequestedJob = z.infer<typeof ShareRequestedJob>

/** A run that fetched the video at this address has ended. It serves all who wait for the video, so the job has no owner. */
export const ShareEndedJob = z.object({ address_hash: z.guid() })
export type ShareEndedJob = z.infer<typeof ShareEndedJob>

/** One fetch serves all followers of the address, so the job has no owner. `pushed`: a hub has announced a change. */
export const RefreshFeedJob = z.object({ rss_url: WebUrl, pushed: z.boolean().optional() })
export type RefreshFeedJob = z.infer<typeof RefreshFeedJob>

/** The host as pauses name it; `feeds:` marks a pause of its feeds. Serves all users, so the job has no owner. */
export const CheckHostJob = z.object({ host: z.string().regex(/^(feeds:)?[^/?#@\s]{1,260}$/) })
export type CheckHostJob = z.infer<typeof CheckHostJob>

/**
 * The host of videos whose facts are looked up, or whose captions are fetched. It serves all who have the video, so the job has no owner.
 */
export const LookJob = z.object({ host: z.string().min(1).max(260) })
export type LookJob = z.infer<typeof LookJob>

/** The host of pictures, with its port. A picture serves all who have it, so the job has no owner. */
export const PicturesJob = z.object({ host: z.string().min(1).max(260) })
export type PicturesJob = z.infer<typeof PicturesJob>

/** A follower whose channel a feed's fetch is saved to. */
export const Follower = z.object({ user_id: UserId, channel_id: z.string() })
export type Follower = z.infer<typeof Follower>

export const ImportJob = z.object({ user_id: UserId, import_id: z.uuid() })
export type ImportJob = z.infer<typeof ImportJob>

/** Reads the list of all videos of a channel for one person. */
export const BackfillJob = z.object({ user_id: UserId, channel_id: z.string() })
export type BackfillJob = z.infer<typeof BackfillJob>

/** Reads the subtitles of a video on disk into its transcript. */
export const TranscriptJob = z.object({ user_id: UserId, video_id: z.string() })
export type TranscriptJob = z.infer<typeof TranscriptJob>

/** Reads the length and the chapters of a stored file. */
export const FileJob = z.object({ user_id: UserId, video_id: z.string() })

/** Cuts the sound out of a film on disk. */
export const SoundJob = z.object({ user_id: UserId, video_id: z.string() })

/** Updates the tree of one person in MEDIA_DIR. */
export const MediaJob = z.object({ user_id: UserId })
export type MediaJob = z.infer<typeof MediaJob>

/** Has a media server of a person read the folder again if that is due, and exchanges what was watched. */
export const ExchangeJob = z.object({ user_id: UserId, server_id: z.uuid() })
export type ExchangeJob = z.infer<typeof ExchangeJob>

/** Sends the messages of one person. */
export const SendMessagesJob = z.object({ user_id: UserId })

/** The tasks of `jobs/worker/runners.ts`; other programs may have put others into the queue. */
export const task_names: readonly string[] = [
  'download',
  'watch-now',
  'share-requested',
  'share-ended',
  'read-transcript',
  'read-file',
  'cut-sound',
  'refresh-feed',
  'subscribe-feed',
  'import-channels',
  'load-older',
  'look-at-videos',
  'fetch-captions',
  'update-media',
  'remove-media-trees',
  'exchange-watched',
  'fetch-pictures',
  'send-messages',
  'housekeeping',
  'forget-old',
  'count-again',
  'look-at-host',
]
