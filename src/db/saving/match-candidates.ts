/**
 * Queries that recognise a stored video as an entry of a feed. Each returns candidates: an entry (`target`, `at`), the stored video
 * (`found_id`), and a `rank`, 0 being the surest. `matching.ts` chooses among them.
 *
 *   0  by an identifier that only this video can have: its platform's, the one that it had before its platform was known, or one made
 *      from its address and its guid
 *   1  by its platform's identifier where a save has recorded it as `moved_id`, or by its address together with its guid
 *   2  by its address and its date, or its address and its title where a date is missing: the feed gave it another guid
 *   3  by its address, where the entry or the stored video has no guid, or the feed makes up new guids on every fetch
 *   4  by its guid together with its title or date, where no entry has its address. The guid alone is not enough: some feeds
 *      give their entries new numbers on every fetch, and one video would turn into the next.
 *   5  by its title and its exact date, where no other video and no other entry has both
 */
import type { Sql } from '../postgres/client.ts'

/** Stored videos by the identifiers made from an entry. Where entries can share an address, its identifier is not enough. */
export const byIdentifier = (sql: Sql) => sql`
  select target, at, candidate.found_id, candidate.rank
  from   entry
  cross join lateral (
    values (at_id, case
                     when spare_id is null                                                          then 0
                     when at_guid = guid                                                            then 1
                     when coalesce(at_published_at = published_at, at_title = title)                then 2
                     when at_guid is null or guid is null or target in (select * from random_guids) then 3
                   end),
           (spare_found, 0),
           (former_found, 0)
  ) as candidate (found_id, rank)
  where  candidate.found_id is not null and candidate.rank is not null`

/**
 * Candidates among `moved`. Thousands of entries and of videos can share one address, so each condition is a join by equality with
 * the first video that meets it. The other videos would lose to that one anyway.
 */
export const byAddress = (sql: Sql) => sql`
  select entry.target, at, stored.found_id, 1
  from   entry
  join   moved stored
  on     (stored.target, stored.moved_id, stored.guid) = (entry.target, entry.address_id, entry.guid)
  union all
  select entry.target, at, stored.found_id, 2
  from   entry
  join   (
    select   target, moved_id, published_at, min(found_id) as found_id
    from     moved
    group by target, moved_id, published_at
  ) stored
  on     (stored.target, stored.moved_id, stored.published_at) = (entry.target, entry.address_id, entry.published_at)
  union all
  select entry.target, at, stored.found_id, 2
  from   entry
  join   (
    select   target, moved_id, title, published_at is null as is_undated, min(found_id) as found_id
    from     moved
    group by target, moved_id, title, published_at is null
  ) stored
  on     (stored.target, stored.moved_id, stored.title) = (entry.target, entry.address_id, entry.title)
  where  stored.is_undated or entry.published_at is null
  union all
  select entry.target, at, stored.found_id, case when entry.spare_id is null then 1 else 3 end
  from   entry
  join   (
    select   target, moved_id, guid is null as has_no_guid, min(found_id) as found_id
    from     moved
    group by target, moved_id, guid is null
  ) stored
  on     (stored.target, stored.moved_id) = (entry.target, entry.address_id)
  where  stored.has_no_guid or entry.spare_id is null or entry.guid is null
  or     entry.target in (select * from random_guids)`

/** The stored videos that meet a condition of `byAddress`, all of them and not only the first ones. */
export const sharingAddress = (sql: Sql) => sql`
  select target, found_id
  from   moved
  where  guid is null
  or     (target, moved_id) in (
           select target, address_id
           from   entry
           where  spare_id is null or guid is null or target in (select * from random_guids))
  or     (target, moved_id, guid) in (select target, address_id, guid from entry)
  or     (target, moved_id, published_at) in (select target, address_id, published_at from entry)
  or     (target, moved_id, title) in (select target, address_id, title from entry where published_at is null)
  or     published_at is null and (target, moved_id, title) in (select target, address_id, title from entry)`

export const byGuid = (sql: Sql) => sql`
  select target, at, holder_id, 4
  from   entry
  where  holder_id is not null
  and    (target, holder_id) not in (select target, found_id from addressed)
  and    (holder_title = title or holder_published_at = published_at or ${isUniqueGuid(sql)})`

/**
 * Long numbers and UUIDs are given to one video only; small numbers and addresses can be given again. A guid of 64 characters is
 * the hash of one that was too long to keep.
 */
const isUniqueGuid = (sql: Sql) => sql`
  guid ~* '^[^/?]*([0-9]{7}|[0-9a-f]{20}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})[^/?]*$' and length(guid) < 64`

/**
 * The entries without a candidate whose title and date no other entry has. Identifiers with a dot only: YouTube's have none, and two
 * of them are always two videos. Exact dates only: two videos of one day may well have the same title.
 */
export const unmatched = (sql: Sql) => sql`
  select *
  from   entry
  where  published_at is not null and published_precision = 'exact' and video_id like '%.%'
  and    (target, at) not in (select target, at from surer)
  and    (target, title, published_at) not in (
           select   target, title, published_at
           from     entry
           where    published_at is not null
           group by target, title, published_at
           having   count(*) > 1)`

/**
 * Only stored videos whose address and guid are no longer in the feed. They are read by date and not by channel, because a channel can
 * have thousands. `sort_at` is the date of a video, unless the video was seen before its date; an index of its own has those few.
 */
export const byTitle = (sql: Sql) => sql`
  select target, at, found_id, 5
  from   (
    select target, at,
           max(stored_id)   over alike as found_id,
           count(stored_id) over alike as stored_count
    from   (
      select target, at, title, published_at, null as stored_id
      from   unmatched
      union all
      select target, null, title, date.published_at, stored.video_id
      from   (select distinct target, user_id, channel_id, published_at from unmatched) date
      cross join lateral (
        select video_id, guid, title
        from   video_entries known
        where  (known.user_id, known.channel_id, known.sort_at) = (date.user_id, date.channel_id, date.published_at)
        and    known.published_at = date.published_at
        union all
        select video_id, guid, title
        from   video_entries known
        where  (known.user_id, known.channel_id, known.published_at) = (date.user_id, date.channel_id, date.published_at)
        and    known.published_at > known.first_seen_at
        offset 0
      ) stored
      where  (target, stored.video_id) not in (select target, found_id from addressed)
      and    (stored.guid is null or (target, stored.guid) not in (select target, guid from entry where guid is not null))
    ) listed
    window alike as (partition by target, title, published_at)
  ) counted
  where  at is not null and stored_count = 1`
