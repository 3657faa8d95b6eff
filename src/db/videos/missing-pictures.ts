/** The pictures of one person's videos and channels that a page still misses. */
import type { PictureKind } from '../../schema/values/picture.ts'
import type { UserId } from '../../schema/values/user.ts'
import type { Sql } from '../postgres/client.ts'
import { sourceHash } from '../postgres/stored-pictures.ts'

/** `url`: on its own site. `picture_url`: null: it is not stored yet. `picture_id`: null: it is not planned yet. */
type FoundPicture = {
  kind: PictureKind
  id: string
  url: string
  picture_id: string | null
  picture_url: string | null
}

export const picturesOf = (sql: Sql, user_id: UserId) => ({
  /** Returns the pictures of these videos and channels that are stored, or may be soon. One that was given up is left out. */
  find: ({ video_ids, channel_ids }: { video_ids: string[]; channel_ids: string[] }): Promise<FoundPicture[]> => sql<
    FoundPicture[]
  >`
    select    named.kind, named.id, named.url, picture.picture_id,
              case when picture.stored_at is not null then '/pictures/' || picture.picture_id || '/large' end as picture_url
    from     (select 'video' as kind, entry.video_id as id, entry.thumbnail_url as url
              from   video_entries entry
              where  entry.user_id = ${user_id} and entry.video_id = any(${video_ids}) and entry.thumbnail_url is not null
              union all
              select 'channel', channel_id, image_url
              from   channels
              where  user_id = ${user_id} and channel_id = any(${channel_ids}) and image_url is not null) named
    left join pictures picture on picture.source_hash = ${sourceHash(sql, sql`named.url`)} and picture.kind = named.kind
    where     picture.picture_id is null or picture.stored_at is not null or picture.fetch_at is not null`,
})
