/** Single videos: a person adds one by its address, without following its channel, and forgets it again. */
import type { RequestResult } from '../../db/downloads/requests.ts'
import type { Library } from '../../db/library.ts'
import { DomainError } from '../../errors.ts'
import { addressOf } from '../../feed/pages/given-address.ts'
import type { FoundList } from '../../schema/sources/discovery.ts'
import type { Video } from '../../schema/videos/video.ts'
import type { Files, Store } from '../../store/files.ts'
import type { VideoLooker } from '../../ytdlp/ask/look-at.ts'
import { moveToBin } from '../downloads/deletions.ts'
import { requestDownload } from '../downloads/downloads.ts'
import { getVideo, noSuchVideo } from '../get.ts'
import { saveAddedVideo } from '../saving/save-feed.ts'
import { lookedEntries, lookUp } from './look.ts'

export type AddingVideos = { library: Library; files: Files; lookAt: VideoLooker }

/** `created`: the video is new. `request`: what happened to the requested download; undefined: none was requested. */
export type AddedVideo = { video: Video; created: boolean; request: RequestResult | undefined }

/** The address has several videos. */
export class SeveralVideos extends DomainError {
  readonly list: FoundList

  constructor(list: FoundList, what_to_do: string) {
    super('invalid', `${list.sentence} ${what_to_do}`)
    this.list = list
  }
}

/**
 * Adds the video at an address. A site is asked only about a video that the library does not have. Throws `SeveralVideos`, or the
 * reason why there is no video that can be added.
 */
export async function addVideo(
  { library, files, lookAt }: AddingVideos,
  address: string,
  { download }: { download: boolean },
): Promise<AddedVideo> {
  const url = addressOf(address)
  const { videoIdAt } = await lookedEntries()
  const known_id = videoIdAt(url)
  const is_known = await library.added.mark(known_id)
  const { video_id, created } = is_known
    ? { video_id: known_id, created: false }
    : await addUnknown(library, lookAt, url)
  const request = download ? (await requestDownload(library, files, video_id)).result : undefined
  return { video: await getVideo(library, video_id), created, request }
}

async function addUnknown(library: Library, lookAt: VideoLooker, url: string) {
  const looked = await lookUp(lookAt, { url, whose: library.user_id })
  if ('refusal' in looked) throw looked.refusal
  if ('list' in looked) throw new SeveralVideos(looked.list, whatToDo(looked.list))
  const { entryOfLook } = await lookedEntries()
  const { channel, entry } = entryOfLook(looked.video, url)
  // In another channel under the identifier that only now is known.
  if (await library.added.mark(entry.video_id)) return { video_id: entry.video_id, created: false }
  return saveAddedVideo(library, channel, entry)
}

const whatToDo = ({ can_follow }: FoundList) =>
  can_follow ? 'Follow it, or use the link of one of its videos.' : 'Use the link of one of them.'

/**
 * Deletes a video that was added by its address, with its file and everything known of it. Throws `conflict` if its channel is followed.
 * With a bin, the video can be restored.
 */
export async function forgetVideo(library: Library, store: Store, video_id: string): Promise<void> {
  const { files, bin } = store
  const forgotten = await library.added.forget(video_id, bin.hours > 0)
  if (!forgotten) throw noSuchVideo()
  if (forgotten === 'followed')
    throw new DomainError('conflict', 'You follow the channel of this video, so the video stays in your library.')
  if (forgotten.download_path && bin.hours === 0) await files.remove(forgotten.download_path)
  else if (forgotten.download_path) await moveToBin(library, store, [video_id])
  await files.forgetWork({ user_id: library.user_id, video_id })
}
