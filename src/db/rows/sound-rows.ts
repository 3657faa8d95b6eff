/**
 * The sound that is cut out of a film for podcasts, in queries of rows `entry`. It belongs to one file of the video, which its time of
 * completion names. `file_size` includes it, so sums of `file_size` are the person's space.
 */
import { sharedPiece } from '../postgres/client.ts'

/** Condition: the row `sound` is about the film of the row `entry` of the same person. */
export const isOfFilm = sharedPiece(
  sql => sql`
  ((sound.video_id, sound.download_path, sound.completed_at)
   = (entry.video_id, entry.download_path, entry.download_completed_at))`,
)

/** The bytes of the sound that was cut out of the film; null: none was. */
export const cutSize = sharedPiece(
  sql => sql`
  (select sound.size
   from   sounds sound
   where  sound.user_id = entry.user_id and ${isOfFilm(sql)})`,
)

/** The bytes of the sound that was cut out of the film of a row of `deleted_files`; null: none was. */
export const cutSizeOfDeleted = sharedPiece(
  sql => sql`
  (select sound.size
   from   sounds sound
   where  sound.user_id = deleted_files.user_id and sound.video_id = deleted_files.video_id
   and    sound.download_path = deleted_files.download_path
   and    sound.completed_at = (deleted_files.file->>'download_completed_at')::timestamptz)`,
)

/** The bytes of the file itself; null: there is none. */
export const filmSize = sharedPiece(
  sql => sql`case when entry.file_size is not null then entry.file_size - coalesce(${cutSize(sql)}, 0) end`,
)

/** Condition: the file is sound only. */
const isSoundFile = sharedPiece(sql => sql`(entry.download_path like '%.m4a' or entry.download_path like '%.mp3')`)

/** The bytes of the sound, which are those of the file if this is sound only; null: there is none. */
export const soundSize = sharedPiece(
  sql => sql`case when ${isSoundFile(sql)} then entry.file_size else ${cutSize(sql)} end`,
)

/** Condition: a film is on disk, and nothing is known of its sound, or cutting it may be tried again. */
export const isWanted = sharedPiece(
  sql => sql`
  entry.standing = 'done' and not ${isSoundFile(sql)} and entry.download_completed_at is not null
  and not exists (
    select from sounds sound
    where  sound.user_id = entry.user_id and ${isOfFilm(sql)}
    -- Null: the sound was cut, or cannot be.
    and    (sound.retry_at > now()) is not false)`,
)

/** Condition: the film of a row `sound` is neither on disk nor in the bin. */
export const isStale = sharedPiece(
  sql => sql`
  not exists (
    select from video_entries entry
    where  entry.user_id = sound.user_id and ${isOfFilm(sql)} and entry.standing = 'done')
  and not exists (
    select from deleted_files file
    where  file.user_id = sound.user_id and file.video_id = sound.video_id and file.download_path = sound.download_path
    and    (file.file->>'download_completed_at')::timestamptz = sound.completed_at)`,
)
