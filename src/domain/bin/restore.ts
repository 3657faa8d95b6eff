/** Brings deleted files, removed videos and unfollowed channels back from the bin. */
import type { Library } from '../../db/library.ts'
import { DomainError } from '../../errors.ts'
import type { Channel } from '../../schema/channels/channel.ts'
import type { Download } from '../../schema/downloads/download.ts'
import type { Store } from '../../store/files.ts'
import { actOnEach } from '../channels/chosen.ts'
import { bringBack, recovered } from '../downloads/deletions.ts'
import { getDownload } from '../downloads/downloads.ts'
import { quotaSentence } from '../downloads/room.ts'
import { getChannel, noSuchChannel, noSuchVideo } from '../get.ts'

/**
 * Restores a file. A video that was removed, or deleted with its channel, returns as a video that was added by its address. A file that is
 * on disk already is no error. Throws `gone` if the bin does not have the file, and `conflict` if it would exceed the quota.
 */
export async function restoreDownload(library: Library, { files, bin }: Store, video_id: string): Promise<Download> {
  const restoring = { ...bin, recover: recovered(files) }
  let restored = await library.bin.restoreFile(video_id, restoring)
  const is_video_restored = restored.result === 'video_unknown' && (await library.bin.restoreVideo(video_id, bin.hours))
  // Tried even if the video was not restored here: its channel may have returned at the same moment.
  if (restored.result === 'video_unknown') restored = await library.bin.restoreFile(video_id, restoring)
  switch (restored.result) {
    case 'video_unknown':
      throw noSuchVideo()
    case 'gone':
      // A removed video may have had no file.
      if (is_video_restored) break
      throw gone('The deleted file is gone for good. Download the video again.')
    case 'over_quota':
      throw new DomainError('conflict', quotaSentence(restored.quota_bytes))
    case 'restored':
      await files.forgetWork({ user_id: library.user_id, video_id })
      break
    case 'already_completed':
      break
  }
  return getDownload(library, video_id)
}

/** Restores the files that were deleted together at this time. Returns how many, and the first reason why one was not restored. */
export async function restoreDeletedAt(library: Library, store: Store, deleted_at: Date) {
  const video_ids = await library.bin.deletedAt(deleted_at)
  const { done, refusal } = await actOnEach(video_ids, video_id => restoreDownload(library, store, video_id))
  return { restored: done.length, refusal }
}

/** `left`: how many files stay in the bin, because they exceed the quota. */
type RestoredChannel = { channel: Channel; left: number }

/** A channel that is followed already is no error. Throws `gone` if the bin does not have the channel, `invalid` if it exceeds a limit. */
export async function restoreChannel(library: Library, store: Store, channel_id: string): Promise<RestoredChannel> {
  const restored = await library.bin.restoreChannel(channel_id, store.bin)
  if (!restored) {
    const known = await library.channels.find(channel_id)
    if (!known) throw noSuchChannel()
    if (!known.followed) throw gone('This channel can no longer be restored. Follow it again.')
    return { channel: known, left: 0 }
  }
  // The downloads are complete already. If this ends early, each file is moved when it is opened.
  await bringBack(library, store.files, restored.video_ids)
  return { channel: await getChannel(library, channel_id), left: restored.left }
}

const gone = (sentence: string) => new DomainError('gone', sentence)

/** `left`: how many files stay in the bin, because they exceed the quota. `refusal`: the first reason why a channel is not restored. */
export async function restoreChannels(library: Library, store: Store, channel_ids: string[]) {
  const { done, refusal } = await actOnEach(channel_ids, channel_id => restoreChannel(library, store, channel_id))
  return { restored: done.length, left: done.reduce((sum, { left }) => sum + left, 0), refusal }
}
