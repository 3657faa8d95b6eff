/**
 * Decides which stored video each entry of a feed is, although its address, guid, title or date may have changed: no
 * video is stored twice, and no two become one. `naming-candidates.ts` finds the videos that an entry may be; `saving.ts` saves.
 *
 * An example. Stored are three videos, and then their feed lists three entries:
 *
 *   stored: video_id   address   guid   title          listed: address      guid   title
 *           v1         /bread    g1     Bread                   /new-bread   g1     Bread
 *           v2         /soup     g2     Soup                    /soup        g9     Soup with leek   (same date)
 *           v3         /rice     g3     Rice                    /cake        g4     Cake
 *
 *   /new-bread is v1: it has the guid and the title of v1, and no entry has the address /bread any more.
 *   /soup      is v2: it has the address and the date of v2. The feed has given it another guid and title.
 *   /cake      is new, and gets the identifier made from its address. v3 is no longer in the feed, and stays as it is.
 */
import type { Follower } from '../../schema/jobs.ts'
import type { Sql } from '../postgres/client.ts'
import { byAddress, byGuid, byIdentifier, byTitle, hasRandomGuids, sharingAddress } from './naming-candidates.ts'

/**
 * Gives each entry of `listed` the `video_id` that it is stored under, or will be. A candidate is a pair of an entry and a stored
 * video that may be the same, with a rank; 0 is the best. Each entry chooses its best candidate. If several entries choose one
 * stored video, the best ranked gets it. An entry without a stored video gets its own identifier, or its spare one if another
 * video has its own.
 */
export function identified(sql: Sql, own: Follower) {
  const { user_id, channel_id } = own
  return sql`
  with feed as (${hasRandomGuids(sql, own)}),
  moved as (
    select video_id, moved_id, guid, title, published_at
    from   video_entries
    where  (user_id, channel_id) = (${user_id}, ${channel_id})
    -- An array, so that Postgres looks each address up once, however many entries share it.
    and    moved_id = any(array(select distinct address_id from listed))
  ),
  by_identifier as (${byIdentifier(sql, own)}),
  -- Stored videos that may still be at an address of the feed. A guid or title must not match them to an entry at another address.
  addressed as (
    select video_id from by_identifier
    union
    ${sharingAddress(sql)}
  ),
  candidates as (
    select * from by_identifier
    union all
    ${byAddress(sql)}
    union all
    ${byGuid(sql, own)}
    union all
    ${byTitle(sql, own)}
  ),
  best as (
    select   distinct on (listed_id) *
    from     candidates
    order by listed_id, rank, video_id
  ),
  matched as (
    select   distinct on (video_id) *
    from     best
    order by video_id, rank, listed_id
  ),
  with_id as (
    select listed.*,
           coalesce(matched.video_id, case when other.video_id is null then listed.video_id else listed.spare_id end) as known_id
    from   listed
    left join matched       on matched.listed_id = listed.video_id
    left join video_entries other
    on        (other.user_id, other.channel_id, other.video_id) = (${user_id}, ${channel_id}, listed.video_id)
  )
  select   distinct on (known_id)
           known_id as video_id, entry.video_url,
           -- An entry without a title has its identifier as title.
           case when entry.title = entry.video_id then known_id else entry.title end as title,
           entry.thumbnail_url, entry.description, entry.published_at,
           -- A guid is unique in a channel, so the guid of another video is not stored a second time.
           case when holder.video_id <> known_id then null else entry.guid end as guid,
           case when known_id <> entry.address_id then entry.address_id end as moved_id,
           entry.video_id as listed_id
  from     with_id entry
  left join video_entries holder
  on       (holder.user_id, holder.channel_id, holder.guid) = (${user_id}, ${channel_id}, entry.guid)
  where    known_id is not null
  order by known_id, entry.video_id`
}
