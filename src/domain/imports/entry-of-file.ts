/** Makes from a file the entry of a video that its library does not have, and the channel that the entry belongs to. */
import type { LookedVideo } from '../../schema/sources/listing.ts'
import { VideoInfo } from '../../ytdlp/run/video-info.ts'
import { entryOfLook } from '../videos/looked-entry.ts'
import { channelIn, titleIn } from './file-names.ts'
import type { FoundFile } from './judge.ts'
import { folderOf, nameOf, textOf } from './raw-path.ts'
import { sayingsBeside } from './read-file.ts'
import { inTags, joinedSayings, type Saying } from './sayings.ts'

/** `undefined`: the address cannot be stored. */
export async function entryOfFile(
  file: FoundFile,
  video_url: string,
): Promise<ReturnType<typeof entryOfLook> | undefined> {
  const sayings = [
    ...(await sayingsBeside(file.path)),
    inTags(new Map(Object.entries(file.tags))),
    ...byPlace(file, video_url),
  ]
  const looked = joinedSayings(sayings, video_url)
  return looked && entryOfLook({ ...looked, ...dateOf(looked, file) }, video_url)
}

/**
 * If nothing says when the video was published, the date of the file is used: the video was published before that, and yt-dlp even gives
 * files the date of their video. Without a date, a thousand old videos would be the first ones in New.
 */
const dateOf = ({ published_at, published_precision }: LookedVideo, { modified_ms }: FoundFile) =>
  published_at === null && modified_ms > 0 && modified_ms < Date.now()
    ? { published_at: new Date(modified_ms), published_precision: 'approximate' as const }
    : { published_at, published_precision }

/** The name of the folder gives the channel, the name of the file the title, and the file itself the length. */
function byPlace({ path, ids, media }: FoundFile, video_url: string): Saying[] {
  const channel = channelIn(textOf(nameOf(folderOf(path))))
  const folder = { channel_id: channel?.channel_id, channel: channel && (channel.title ?? channel.channel_id) }
  const id = ids.find(({ id }) => video_url.endsWith(id)) ?? ids.find(({ by }) => by !== 'words')
  const name = { title: titleIn(textOf(nameOf(path)), id?.id), duration: media?.seconds }
  return [
    { from: 'folder', info: VideoInfo.parse(folder) },
    { from: 'file name', info: VideoInfo.parse(name) },
  ]
}
