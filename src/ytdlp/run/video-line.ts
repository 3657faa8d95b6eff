/** The form of what yt-dlp prints about a video or a list by the templates of `list-command.ts`. */
import { z } from 'zod'

/** A field of the wrong form counts as missing. JSON may escape what the database and addresses cannot contain. */
const Text = z
  .string()
  .transform(text => text.replaceAll('\0', '').toWellFormed())
  .nullish()
  .catch(null)
const Amount = z.number().nullish().catch(null)

export const VideoInfo = z.object({
  /** `url`: an entry of a list, whose page was not requested. */
  _type: Text,
  id: Text,
  url: Text,
  webpage_url: Text,
  title: Text,
  /** The title without the time that yt-dlp adds to that of a live video. */
  fulltitle: Text,
  duration: Amount,
  timestamp: Amount,
  upload_date: Text,
  release_timestamp: Amount,
  live_status: Text,
  availability: Text,
  age_limit: Amount,
  ie_key: Text,
  extractor_key: Text,
  description: Text,
  thumbnail: Text,
  channel: Text,
  channel_id: Text,
  channel_url: Text,
  uploader: Text,
  uploader_url: Text,
  playlist_channel: Text,
  playlist_channel_id: Text,
  playlist_uploader: Text,
})
export type VideoInfo = z.infer<typeof VideoInfo>

/** `picture`: the largest one. `format`: one that can be downloaded. */
export const VideoLine = z.object({ info: VideoInfo, picture: Text, format: Text })
export type VideoLine = z.infer<typeof VideoLine>

export const ListLine = z.object({
  info: z.object({
    id: Text,
    title: Text,
    playlist_count: Amount,
    channel: Text,
    channel_id: Text,
    channel_url: Text,
    uploader: Text,
    uploader_url: Text,
    extractor_key: Text,
  }),
  pictures: z
    .array(z.object({ id: Text, url: Text }))
    .nullish()
    .catch(null),
})
export type ListLine = z.infer<typeof ListLine>
