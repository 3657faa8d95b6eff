/** Finds, among all people, sounds that others have of the same film, and sounds whose film is gone. */
import type { DownloadJob } from '../../../schema/service/jobs.ts'
import type { UserId } from '../../../schema/values/user.ts'
import type { Everyone } from '../../everyone.ts'
import { eachValue } from '../../postgres/client.ts'
import { filmSize, isOfFilm, isStale } from '../../rows/sound-rows.ts'
import type { Film } from '../sounds.ts'

/**
 * The places of films that others have of the same video in the same quality, as large as this one, and whose sound is cut. The caller
 * compares the films themselves. In no order.
 */
export const filmsWithSound = (sql: Everyone, user_id: UserId, film: Film): Promise<string[]> =>
  eachValue<string>(sql`
    select entry.download_path
    from   video_entries own
    join   video_entries entry
    on     entry.address_hash = own.address_hash and entry.download_quality = own.download_quality and entry.standing = 'done'
    join   sounds sound on sound.user_id = entry.user_id and ${isOfFilm(sql)}
    where  own.user_id = ${user_id} and own.video_id = ${film.video_id} and own.download_path = ${film.download_path}
    and    entry.user_id <> own.user_id and ${filmSize(sql)} = ${film.film_size}
    and    sound.size is not null
    limit  5`)

/** In no order, at most `limit`. */
export const staleSounds = (sql: Everyone, limit: number): Promise<DownloadJob[]> => sql<DownloadJob[]>`
  select user_id, video_id from sounds sound where ${isStale(sql)} limit ${limit}`
