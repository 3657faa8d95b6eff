/** What the API takes and answers about videos. A field is described here, or in the schema that it is taken from. */
import { z } from 'zod'
import { DownloadStatus } from '../downloads/download.ts'
import { Address, cursor, limit, listOf, next_cursor, optional, trueOrFalse } from '../values/parameters.ts'
import { Video } from './video.ts'
import { video_order } from './video-order.ts'

const video_address = Address.meta({
  description: 'The address of a video: its page, or the file.',
  examples: ['https://www.youtube.com/watch?v=aqz-KE-bpKQ'],
})

export const AddVideoRequest = z.object({
  url: video_address,
  download: z.boolean().default(false).describe('Whether to download it at once.'),
})

/** `download`: the button that was pressed; absent: the other one. */
export const AddVideoForm = z.object({ url: video_address, download: z.string().optional() })

export const VideosQuery = z.object({
  limit,
  cursor,
  status: optional(DownloadStatus, `Use one of ${DownloadStatus.options.join(', ')}.`).meta({
    description: 'Only videos with this download status.',
    examples: ['completed'],
  }),
  q: optional(z.string().trim().max(200), 'Search for at most 200 characters.').meta({
    description: 'Only videos whose title or description contains these words, ignoring case.',
    examples: ['bread'],
  }),
  seen: trueOrFalse('`true`: only watched videos; `false`: only unwatched ones.', 'false'),
  ...video_order,
})

/** The videos and channels of a page whose pictures it misses. */
export const PicturesQuery = z.object({ video_id: listOf(200), channel_id: listOf(200) })

export const Videos = z.object({ entries: z.array(Video), next_cursor })

const count = z.number().int().describe('How many videos have this status.')

export const History = Videos.extend({
  counts: z
    .object({ pending: count, downloading: count, completed: count, failed: count })
    .describe('How many videos of the channel have each status and match `q` and `seen`, on all pages.'),
})

export const Unfinished = z.object({ entries: z.array(Video) })
