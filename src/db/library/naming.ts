/** Which of the stored videos each entry of a feed is, whatever has changed of it. Leaves the saving to `saving`. */
import type { UserId } from '../../schema/user.ts'
import type { Sql } from '../postgres/client.ts'

export type OwnChannel = { user_id: UserId; channel_id: string }

/**
 * The entries of `listed` under the identifiers they are stored by, or will be. An entry is a stored video by, best first:
 *
 * 0. an identifier that only it can have: its platform's, or one made from its address and its name;
 * 1. the identifier that its platform's page had before it moved, or its address together with its guid;
 * 2. its address and its date, or its title where a date is missing: the feed has renamed it;
 * 3. its address, where one of the two has no guid, or where guids say nothing (`links.decide`);
 * 4. its guid and its title or date, when no entry has the address of the stored one: without these, feeds that number
 *    their entries anew each time would turn one video into the next;
 * 5. its title and its very date, when nothing else has both.
 *
 * Each stored video is one entry at most. An entry that is none gets its own identifier, and where a stored video that it
 * is not has that one, its spare one.
 */
export const identified = (sql: Sql, { user_id, channel_id }: OwnChannel) => sql`
  with links as (${links(sql, { user_id, channel_id })}),
  moved as (
    select video_id, moved_id, guid, title, published_at
    from   video_entries
    where  (user_id, channel_id) = (${user_id}, ${channel_id})
    -- As an array, each address is looked up once, however many entries have it.
    and    moved_id = any(array(select distinct address_id from listed))
  ),
  by_identifier as (${byIdentifier(sql, { user_id, channel_id })}),
  at_address as (
    select video_id from by_identifier
    union
    ${nearAnEntry(sql)}
  ),
  pairs as (
    select * from by_identifier
    union all
    ${byAddress(sql)}
    union all
    ${byGuid(sql, { user_id, channel_id })}
    union all
    ${byTitle(sql, { user_id, channel_id })}
  ),
  best as (
    select   distinct on (listed_id) *
    from     pairs
    order by listed_id, rank, video_id
  ),
  same as (
    select   distinct on (video_id) *
    from     best
    order by video_id, rank, listed_id
  ),
  decided as (
    select listed.*,
           coalesce(same.video_id, case when other.video_id is null then listed.video_id else listed.spare_id end) as known_id
    from   listed
    left join same          on same.listed_id = listed.video_id
    left join video_entries other
    on        (other.user_id, other.channel_id, other.video_id) = (${user_id}, ${channel_id}, listed.video_id)
  )
  select   distinct on (known_id)
           known_id as video_id, decided.video_url,
           case when decided.title = decided.video_id then known_id else decided.title end as title,
           decided.thumbnail_url, decided.description, decided.published_at,
           -- Another video's already; then this one has none.
           case when holder.video_id <> known_id then null else decided.guid end as guid,
           case when known_id <> decided.address_id then decided.address_id end as moved_id,
           decided.video_id as listed_id
  from     decided
  left join video_entries holder
  on       (holder.user_id, holder.channel_id, holder.guid) = (${user_id}, ${channel_id}, decided.guid)
  where    known_id is not null
  order by known_id, decided.video_id`

/** Stored videos whose identifier is made from an entry: from its platform's name, its address, or both its address and guid. */
const byIdentifier = (sql: Sql, { user_id, channel_id }: OwnChannel) => sql`
  select *
  from   (
    select listed.video_id as listed_id, stored.video_id,
           case
             when alias.is_certain                                                                 then 0
             when listed.spare_id is null or stored.guid = listed.guid                             then 1
             when coalesce(stored.published_at = listed.published_at, stored.title = listed.title) then 2
             when stored.guid is null or listed.guid is null or links.decide                       then 3
           end as rank
    from   listed
    cross join links
    cross join lateral (values (listed.address_id, listed.spare_id is null), (listed.spare_id, true), (listed.former_id, true))
           as alias (video_id, is_certain)
    join   video_entries stored
    on     (stored.user_id, stored.channel_id, stored.video_id) = (${user_id}, ${channel_id}, alias.video_id)) pair
  where  rank is not null`

/**
 * Stored videos that have the address of an entry now. Thousands of entries and of videos can share one address, so each
 * condition is a join by equality, with the first video that meets it; the others would lose to that one.
 */
const byAddress = (sql: Sql) => sql`
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
  cross join links
  join   (
    select   moved_id, guid is null as is_nameless, min(video_id) as video_id
    from     moved
    group by moved_id, guid is null
  ) stored
  on     stored.moved_id = listed.address_id
  where  stored.is_nameless or listed.spare_id is null or listed.guid is null or links.decide`

/** Of the stored videos that have the address of an entry now, those that may be that entry. */
const nearAnEntry = (sql: Sql) => sql`
  select video_id
  from   moved
  where  guid is null
  or     moved_id in (
           select address_id
           from   listed
           cross join links
           where  spare_id is null or guid is null or links.decide)
  or     (moved_id, guid) in (select address_id, guid from listed)
  or     (moved_id, published_at) in (select address_id, published_at from listed)
  or     (moved_id, title) in (select address_id, title from listed where published_at is null)
  or     published_at is null and (moved_id, title) in (select address_id, title from listed)`

/**
 * Some feeds make up new guids on every fetch. Their links decide: no guid is known, and the addresses are, of at least two
 * entries and of at least half of all, and no two entries have the same.
 */
const links = (sql: Sql, { user_id, channel_id }: OwnChannel) => sql`
  select count(distinct entry.address_id) = count(*)
         and count(known.video_id) >= greatest(2, count(*) / 2.0)
         and count(holder.video_id) = 0 as decide
  from   listed entry
  left join video_entries known
  on     (known.user_id, known.channel_id, known.video_id) = (${user_id}, ${channel_id}, entry.address_id)
  left join video_entries holder
  on     (holder.user_id, holder.channel_id, holder.guid) = (${user_id}, ${channel_id}, entry.guid)
  where  entry.guid is not null`

const byGuid = (sql: Sql, { user_id, channel_id }: OwnChannel) => sql`
  select listed.video_id, stored.video_id, 4
  from   listed
  join   video_entries stored
  on     (stored.user_id, stored.channel_id, stored.guid) = (${user_id}, ${channel_id}, listed.guid)
  where  stored.video_id not in (select video_id from at_address)
  and    (stored.title = listed.title or stored.published_at = listed.published_at or ${isNobodyElses(sql)})`

/** Long numbers and UUIDs are given once; addresses and small numbers are given again. Those of 64 were too long to keep. */
const isNobodyElses = (sql: Sql) => sql`
  listed.guid ~* '^[^/?]*([0-9]{7}|[0-9a-f]{20}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})[^/?]*$' and length(listed.guid) < 64`

/** Of the stored videos that have left the feed, under every name, those that are the only ones of their title and date. */
const byTitle = (sql: Sql, { user_id, channel_id }: OwnChannel) => sql`
  select listed.video_id, stored.video_id, 5
  from   (select *, count(*) over (partition by title, published_at) = 1 as is_alone from listed) listed
  join   (
    select   title, published_at, min(video_id) as video_id
    from     video_entries
    where    (user_id, channel_id) = (${user_id}, ${channel_id})
    and      published_at is not null
    and      video_id not in (select video_id from at_address)
    and      coalesce(guid not in (select guid from listed where guid is not null), true)
    group by title, published_at
    having   count(*) = 1
  ) stored
  on     (stored.title, stored.published_at) = (listed.title, listed.published_at)
  -- YouTube's identifiers have no dot, and two of them are two videos.
  and    listed.is_alone and listed.video_id like '%.%'`
