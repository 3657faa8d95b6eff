/** What takes the space of a person's files, and deleting the ones that were watched long ago. */
import { z } from 'zod'
import { ChannelId } from '../values/fields.ts'
import { PictureUrl } from '../values/picture.ts'

/** The choices of "watched more than so many days ago". */
export const watched_days = [7, 30, 90] as const
const WatchedDays = z.literal(watched_days)
export type WatchedDays = z.infer<typeof WatchedDays>

/** At most this many files are deleted by one request, those watched longest ago. */
export const max_files_per_deletion = 500

const older_than_days = WatchedDays.describe('Watched more than this many days ago.')
const bytes = z.int().describe('Their size in bytes.')

export const DeleteWatchedRequest = z.object({ older_than_days })
/** The query of the page Disk space. `all`: the page shows every channel. Invalid values are ignored. */
export const SpaceQuery = z.object({
  days: z.coerce.number().pipe(WatchedDays).catch(30),
  all: z.literal('1').optional().catch(undefined),
})
export const DeleteWatchedForm = z.object({ older_than_days: z.coerce.number().pipe(WatchedDays) })

export const ChannelSpace = z
  .object({
    channel_id: ChannelId,
    title: z.string().describe('The title of the channel.'),
    image_url: z.string().nullable().describe('The picture of the channel on its site; null: none is known.'),
    picture_url: PictureUrl,
    files: z.int().describe('How many files on disk it has. A video of two channels counts for one of them.'),
    bytes,
  })
  .meta({ id: 'ChannelSpace' })
export type ChannelSpace = z.infer<typeof ChannelSpace>

export const WatchedSpace = z.object({
  files: z.int().describe('How many files can be deleted.'),
  bytes,
  pinned: z.int().describe('How many more stay because they are pinned.'),
  only_copies: z.int().describe('How many more stay because their sites no longer have them.'),
})
export type WatchedSpace = z.infer<typeof WatchedSpace>

/** What deleting the files of one channel would free. Only `pinned` ones stay; `only_copies` of `files` cannot be downloaded again. */
export type ChannelFiles = { files: number; bytes: number; pinned: number; only_copies: number }

const watched = (days: WatchedDays) => WatchedSpace.describe(`Files of videos watched more than ${days} days ago.`)

export const SpaceShown = z.object({
  files: z.int().describe('How many files you have on disk.'),
  on_disk_bytes: bytes,
  quota_bytes: z.int().nullable().describe('How many bytes your files may use; null: no quota.'),
  free_bytes: z.int().nullable().describe('How many bytes are free on the disk; null: unknown.'),
  channels: z.array(ChannelSpace),
  watched: z
    .object({ 7: watched(7), 30: watched(30), 90: watched(90) })
    .describe('What deleting watched files would free, by the days since they were watched.'),
})
export type SpaceShown = z.infer<typeof SpaceShown>

export const DeletedFiles = z.object({
  files: z.int().describe('How many files were deleted. They can be restored, unless BIN_HOURS is 0.'),
  bytes,
  left: z.int().describe(`How many are left. One request deletes at most ${max_files_per_deletion}.`),
})
export type DeletedFiles = z.infer<typeof DeletedFiles>
