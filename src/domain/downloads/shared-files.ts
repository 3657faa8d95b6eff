/** Takes a copy of a file that another person has, in place of a download. Where the storage can, both are one file on the disk. */
import { hash } from 'node:crypto'
import {
  isUnchanged,
  type SharedFile,
  sharedFiles,
  type WaitingVideo,
  type WantedFile,
} from '../../db/downloads/everyone/shared-files.ts'
import type { FinishedFile, RunStart } from '../../db/downloads/run-types.ts'
import type { Everyone } from '../../db/everyone.ts'
import { oneAddressOf } from '../../feed/platforms/by-address.ts'
import { extensionOf } from '../../schema/downloads/quality.ts'
import { wordsHash } from '../../schema/videos/video.ts'
import type { Staged } from '../../store/files.ts'
import { placeOf } from '../../store/paths.ts'
import type { Run } from '../../store/work.ts'
import type { Failure } from '../../ytdlp/failures/failure.ts'
import { lackOfDisk, no_limits, overQuota, type Room, type RoomLimits } from './room.ts'

/** A prepared copy, and what is recorded of it. */
export type Copy = { staged: Staged; file: FinishedFile }

/** `sharing`: the right to find files of other people; absent: their files are not used. */
type CopyParts = Omit<Room, 'room'> & { room?: RoomLimits; sharing?: Everyone | undefined }

/** `undefined`: no one has the file, or it was removed meanwhile. `failure`: there is no room for it. */
export async function copyOfShared(
  { library, files, sharing, room = no_limits, makeRoom }: CopyParts,
  run: Run & Pick<RunStart, 'video' | 'quality' | 'address_hash'> & Pick<WantedFile, 'languages'>,
  folder: string,
  signal: AbortSignal,
): Promise<Copy | { failure: Failure } | undefined> {
  const { video, address_hash } = run
  if (!sharing || address_hash === null) return undefined
  const wanted = { ...run, address_hash, words_hash: wordsHash(video) }
  for (const shared of await sharedFiles(sharing, wanted)) {
    // The copy counts in full: its person may keep it when all other people have deleted their files.
    let failure = await overQuota({ library, room }, run.video_id, shared.file_size)
    // A link needs no room on the disk.
    const hasRoomFor = async (bytes: number) => {
      failure = await lackOfDisk({ files, room, makeRoom }, bytes)
      return failure === undefined
    }
    if (failure) return { failure }
    const download_path = placeOf({
      ...run,
      channel_id: video.channel_id,
      extension: extensionOf(shared.download_path),
    })
    const from = { download_path: shared.download_path, languages: shared.subtitles }
    // A source that cannot be read is no reason to fail: the video can still be downloaded.
    const options = { hasRoomFor, signal }
    const staged = await files.stageCopy(from, download_path, folder, options).catch(() => undefined)
    if (failure) return { failure }
    if (!staged) continue
    // The owner of the source may have deleted it, and downloaded something else to the same place, between the query and the copy.
    if (staged.file_size === shared.file_size && (await isUnchanged(sharing, shared)))
      return { staged, file: { ...recordOf(shared), download_path } }
    await staged.drop()
  }
  return undefined
}

/** What a download from the site would record: what the site said when the file was fetched, and nothing else of the other person's row. */
const recordOf = ({ file_size, subtitles, words_hash, site_facts }: SharedFile) => ({
  file_size,
  subtitles,
  copied: true,
  words_hash: words_hash ?? undefined,
  in_file: site_facts?.in_file,
  facts: site_facts
    ? { ...site_facts, published_at: site_facts.published_at === null ? null : new Date(site_facts.published_at) }
    : undefined,
})

/** The file that a waiting download needs. */
export const wantedBy = ({ user_id, video_id, quality, subtitle_languages, ...words }: WaitingVideo): WantedFile => ({
  user_id,
  video_id,
  quality,
  address_hash: addressHash(words.video_url),
  words_hash: wordsHash(words),
  languages: subtitle_languages,
})

/**
 * Names a video by its address, the same for all people who have the video: the first half of a SHA-256, in the form of a UUID. All
 * addresses that a platform gives to one video have the same hash. Hashes are stored, so a change of this function must give no two videos
 * one hash.
 */
export const addressHash = (video_url: string): string =>
  hash('sha256', oneAddressOf(video_url))
    .slice(0, 32)
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
