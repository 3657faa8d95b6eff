/** The bin: deleted files and unfollowed channels that can still be restored. */
import { z } from 'zod'
import { ChannelId, cursor, limit, SentTime, VideoId } from '../values/fields.ts'
import { PictureUrl } from '../values/picture.ts'

/** How long the bin keeps what is deleted, and how much of it for one person. */
export type BinLimits = {
  /** 0: nothing is kept. */
  hours: number
  /** The largest sum of the sizes of the deleted files of a person without a quota of their own; 0: no limit. */
  quota_bytes: number
}

/** What the page of a video says of its file. */
export type FileOutlook = {
  is_only_copy: boolean
  /** Undefined: the bin does not have it. */
  restorable_until: Date | undefined
  /** The person added the video by its address, and follows none of its channels. */
  can_forget: boolean
}

export const BinItem = z
  .object({
    kind: z
      .enum(['file', 'channel'])
      .describe('`file`: a deleted file. `channel`: an unfollowed channel, with its files.'),
    video_id: VideoId.nullable().describe('The video of the file; null: this is a channel.'),
    channel_id: ChannelId,
    title: z.string().describe('The title of the video or of the channel.'),
    picture_url: PictureUrl,
    videos: z.int().describe('How many videos return with it.'),
    files: z.int().describe('How many files return with it.'),
    bytes: z.int().describe('The size of these files in bytes.'),
    deleted_at: z.date().describe('When it was deleted or unfollowed.'),
    restorable_until: z.date().describe('When it is deleted for good, or earlier if the disk is full.'),
  })
  .meta({ id: 'BinItem' })
export type BinItem = z.infer<typeof BinItem>

export const BinShown = z.object({
  entries: z.array(BinItem),
  next_cursor: z.string().nullable().describe('The `cursor` of the next page; null: this is the last page.'),
  files: z.int().describe('How many files are in Recently deleted.'),
  bytes: z.int().describe('The size of the files in Recently deleted, in bytes. They do not count towards your quota.'),
})
export type BinShown = z.infer<typeof BinShown>

export const BinQuery = z.object({ limit, cursor })

/** The files that were deleted together. */
export const RestoreForm = z.object({ deleted_at: SentTime.transform(at => new Date(at)) })
