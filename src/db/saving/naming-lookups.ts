/**
 * The look-ups of stored videos that entries of feeds may be. `naming-candidates.ts` compares them with the entries.
 *
 * Each is a lateral query with `offset 0`. The planner then cannot merge it into a join that reads the whole table, which it prefers
 * while the table is small, and keeps for the later saves of a connection.
 */
import type { Sql } from '../postgres/client.ts'

/**
 * The entries of `listed` with the stored videos that have one of their identifiers: `own_id` has the identifier of the entry;
 * `at_id` that of its address, with its guid, title and date; `spare_found` and `former_found` the others. `holder_id` has its guid.
 */
export const withStored = (sql: Sql) => sql`
  select listed.*,
         case when listed.video_id = address_id then stored.video_id else own.video_id end as own_id,
         stored.video_id     as at_id,
         stored.guid         as at_guid,
         stored.title        as at_title,
         stored.published_at as at_published_at,
         spare.video_id      as spare_found,
         former.video_id     as former_found,
         holder.video_id     as holder_id,
         holder.title        as holder_title,
         holder.published_at as holder_published_at
  from   listed
  left join lateral (
    select video_id, guid, title, published_at
    from   video_entries known
    where  (known.user_id, known.channel_id, known.video_id) = (listed.user_id, listed.channel_id, listed.address_id)
    offset 0
  ) stored on true
  left join lateral (
    select video_id
    from   video_entries known
    where  (known.user_id, known.channel_id, known.video_id) = (listed.user_id, listed.channel_id, listed.video_id)
    and    listed.video_id <> listed.address_id
    offset 0
  ) own on true
  left join lateral (
    select video_id
    from   video_entries known
    where  (known.user_id, known.channel_id, known.video_id) = (listed.user_id, listed.channel_id, listed.spare_id)
    offset 0
  ) spare on true
  left join lateral (
    select video_id
    from   video_entries known
    where  (known.user_id, known.channel_id, known.video_id) = (listed.user_id, listed.channel_id, listed.former_id)
    offset 0
  ) former on true
  left join lateral (
    select video_id, title, published_at
    from   video_entries known
    where  (known.user_id, known.channel_id, known.guid) = (listed.user_id, listed.channel_id, listed.guid)
    offset 0
  ) holder on true`

/** Stored videos that have the address of an entry by now. */
export const moved = (sql: Sql) => sql`
  select address.target, stored.*
  -- Each address once, however many entries share it.
  from   (select distinct target, user_id, channel_id, address_id from entry) address
  cross join lateral (
    select video_id as found_id, moved_id, guid, title, published_at
    from   video_entries known
    where  (known.user_id, known.channel_id, known.moved_id) = (address.user_id, address.channel_id, address.address_id)
    offset 0
  ) stored`

/**
 * The channels whose feed seems to make up new guids on every fetch: no guid is known, but the addresses are, of at least two
 * entries and of at least half of all, and no two entries share one.
 */
export const withRandomGuids = (sql: Sql) => sql`
  select   target
  from     entry
  where    guid is not null
  group by target
  having   count(distinct address_id) = count(*)
  and      count(at_id) >= greatest(2, count(*) / 2.0)
  and      count(holder_id) = 0`
