/**
 * Queries that recognise a stored video as an entry of a feed. Each returns candidates: `listed_id` of the entry, `video_id` of
 * the stored video, and a `rank`, 0 being the surest. `naming.ts` chooses among them.
 *
 *   0  by an identifier that only this video can have: its platform's, or one made from its address and its guid
 *   1  by the identifier it had before its platform was known, or by its address together with its guid
 *   2  by its address and its date, or its address and its title where a date is missing: the feed gave it another guid
 *   3  by its address, where the entry or the stored video has no guid, or the feed makes up new guids on every fetch
 *   4  by its guid together with its title or date, where no entry has its address. The guid alone is not enough: some feeds
 *      number their entries no_failures on every fetch, and one video would turn into the next.
 *   5  by its title and its exact date, where no other video and no other entry has both
 */

import type { Follower } from '../../schema/jobs.ts'
import type { Sql } from '../postgres/client.ts'

/** Stored videos by the identifiers made from an entry. `is_certain`: no other video can have this identifier. */
export const byIdentifier = (sql: Sql, { user_id, channel_id }: Follower) => sql`
  select *
  from   (
    select listed.video_id as listed_id, stored.video_id,
           case
             when alias.is_certain                                                                 then 0
             when listed.spare_id is null or stored.guid = listed.guid                             then 1
             when coalesce(stored.published_at = listed.published_at, stored.title = listed.title) then 2
             when stored.guid is null or listed.guid is null or feed.has_random_guids              then 3
           end as rank
    from   listed
    cross join feed
    cross join lateral (values (listed.address_id, listed.spare_id is null), (listed.spare_id, true), (listed.former_id, true))
           as alias (video_id, is_certain)
    join   video_entries stored
    on     (stored.user_id, stored.channel_id, stored.video_id) = (${user_id}, ${channel_id}, alias.video_id)) candidate
  where  rank is not null`

/**
 * Stored videos that have the address of an entry by now. Thousands of entries and of videos can share one address, so each
 * condition is a join by equality with the first video that meets it. The other videos would lose to that one anyway.
 */
export const byAddress = (sql: Sql) => sql`
  select listed.video_id, stored.video_id, 1
  from   listed
  join   moved stored on (stored.moved_id, stored.guid) = (listed.address_id, listed.guid)
  union all
  select listed.video_id, stored.video_id, 2
  from   listed
  join   (select moved_id, published_at, min(video_id) as video_id from moved group by moved_id, published_at) stored
  on     (stored.moved_id, stored.published_at) = (listed.address_id, listed.published_at)
  union all
  select listed.video_id, stored.video_id, 2
  from   listed
  join   (
    select   moved_id, title, published_at is null as is_undated, min(video_id) as video_id
    from     moved
    group by moved_id, title, published_at is null
  ) stored
  on     (stored.moved_id, stored.title) = (listed.address_id, listed.title)
  where  stored.is_undated or listed.published_at is null
  union all
  select listed.video_id, stored.video_id, case when listed.spare_id is null then 1 else 3 end
  from   listed
  cross join feed
  join   (
    select   moved_id, guid is null as has_no_guid, min(video_id) as video_id
    from     moved
    group by moved_id, guid is null
  ) stored
  on     stored.moved_id = listed.address_id
  where  stored.has_no_guid or listed.spare_id is null or listed.guid is null or feed.has_random_guids`

/** The stored videos that meet a condition of `byAddress`, all of them and not only the first ones. */
export const sharingAddress = (sql: Sql) => sql`
  select video_id
  from   moved
  where  guid is null
  or     moved_id in (
           select address_id
           from   listed
           cross join feed
           where  spare_id is null or guid is null or has_random_guids)
  or     (moved_id, guid) in (select address_id, guid from listed)
  or     (moved_id, published_at) in (select address_id, published_at from listed)
  or     (moved_id, title) in (select address_id, title from listed where published_at is null)
  or     published_at is null and (moved_id, title) in (select address_id, title from listed)`

/**
 * Whether the feed seems to make up new guids on every fetch: no guid is known, but the addresses are, of at least two entries
 * and of at least half of all, and no two entries share one.
 */
export const hasRandomGuids = (sql: Sql, { user_id, channel_id }: Follower) => sql`
  select count(distinct entry.address_id) = count(*)
         and count(known.video_id) >= greatest(2, count(*) / 2.0)
         and count(holder.video_id) = 0 as has_random_guids
  from   listed entry
  left join video_entries known
  on     (known.user_id, known.channel_id, known.video_id) = (${user_id}, ${channel_id}, entry.address_id)
  left join video_entries holder
  on     (holder.user_id, holder.channel_id, holder.guid) = (${user_id}, ${channel_id}, entry.guid)
  where  entry.guid is not null`

export const byGuid = (sql: Sql, { user_id, channel_id }: Follower) => sql`
  select listed.video_id, stored.video_id, 4
  from   listed
  join   video_entries stored
  on     (stored.user_id, stored.channel_id, stored.guid) = (${user_id}, ${channel_id}, listed.guid)
  where  stored.video_id not in (select video_id from addressed)
  and    (stored.title = listed.title or stored.published_at = listed.published_at or ${isUniqueGuid(sql)})`

/**
 * Long numbers and UUIDs are given to one video only; small numbers and addresses can be given again. A guid of 64 characters is
 * the hash of one that was too long to keep.
 */
const isUniqueGuid = (sql: Sql) => sql`
  listed.guid ~* '^[^/?]*([0-9]{7}|[0-9a-f]{20}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})[^/?]*$' and length(listed.guid) < 64`

/**
 * Only stored videos whose address and guid are no longer in the feed. Identifiers with a dot only: YouTube's have none, and two
 * of them are always two videos.
 */
export const byTitle = (sql: Sql, { user_id, channel_id }: Follower) => sql`
  select listed.video_id, stored.video_id, 5
  from   (select *, count(*) over (partition by title, published_at) = 1 as is_alone from listed) listed
  join   (
    select   title, published_at, min(video_id) as video_id
    from     video_entries
    where    (user_id, channel_id) = (${user_id}, ${channel_id})
    and      published_at is not null
    and      video_id not in (select video_id from addressed)
    and      coalesce(guid not in (select guid from listed where guid is not null), true)
    group by title, published_at
    having   count(*) = 1
  ) stored
  on     (stored.title, stored.published_at) = (listed.title, listed.published_at)
  and    listed.is_alone and listed.video_id like '%.%'`
