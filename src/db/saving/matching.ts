/**
 * Decides which stored video each entry of a feed is, although its address, guid, title or date may have changed: no
 * video is stored twice, and no two become one. `match-candidates.ts` finds the videos that an entry may be; `save-statement.ts` saves.
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
 *
 * The identifiers in the statements:
 *
 *   address_id   made from the address of the entry alone
 *   spare_id     made from the address and the guid, for when another video has `address_id`; null on known platforms
 *   former_id    the one that the video had before its platform was known
 *   moved_id     of a stored video: the `address_id` that its entry has by now, where that is not its `video_id`
 *   holder_id    the stored video that has the guid of the entry
 */
import type { Sql } from '../postgres/client.ts'
import { byAddress, byGuid, byIdentifier, byTitle, sharingAddress, unmatched } from './match-candidates.ts'

/**
 * Gives each entry of `listed` the `video_id` that it is stored under, or will be. A candidate is a pair of an entry and a stored
 * video that may be the same, with a rank; 0 is the best. Each entry chooses its best candidate. If several entries choose one
 * stored video, the best ranked gets it. An entry without a stored video gets the identifier made for it (`video_id`); if a stored
 * video has that identifier, the entry gets `spare_id`. An entry for which neither is left is dropped.
 *
 * `listed` has the entries of all channels that are saved. `target` is the number of the channel, and `at` that of the entry in its
 * feed. The choice uses windows over one list and no join of two lists, because the planner cannot know how long they are.
 */
export const identified = (sql: Sql) => sql`
  with entry as (${withStored(sql)}),
  random_guids as (${targetsWithRandomGuids(sql)}),
  moved as (${moved(sql)}),
  by_identifier as (${byIdentifier(sql)}),
  -- Stored videos that may still be at an address of the feed. A guid or title must not match them to an entry at another address.
  addressed as (
    select target, found_id from by_identifier
    union
    ${sharingAddress(sql)}
  ),
  surer as (
    select * from by_identifier
    union all
    ${byAddress(sql)}
    union all
    ${byGuid(sql)}
  ),
  unmatched as (${unmatched(sql)}),
  candidates as (
    select * from surer
    union all
    ${byTitle(sql)}
  ),
  -- Rank 9 is the entry itself, after all of its candidates (0 to 5). Only these rows go on, each with the best candidate.
  best as (
    select *,
           first_value(found_id) over by_rank as best_id,
           first_value(rank)     over by_rank as best_rank
    from   (
      select target, at, user_id, channel_id, feed, video_id, title, published_at, guid, address_id, spare_id, own_id, holder_id,
             null as found_id, 9 as rank
      from   entry
      union all
      select target, at, null, null, null, null, null, null, null, null, null, null, null, found_id, rank
      from   candidates
    ) listed
    window by_rank as (partition by target, at order by rank, found_id)
  ),
  matched as (
    select *,
           case when row_number() over (partition by target, best_id order by best_rank, video_id) = 1 then best_id end as matched_id
    from   best
    where  rank = 9
  ),
  known as (
    select *,
           coalesce(matched_id, case when own_id is null then video_id else spare_id end) as known_id
    from   matched
  )
  select   distinct on (target, known_id)
           target, user_id, channel_id, feed, at, known_id as video_id, video_id as listed_id, published_at,
           -- An entry without a title has its identifier as title.
           case when title = video_id then known_id else title end as title,
           -- A guid is unique in a channel, so the guid of another video is not stored a second time.
           case when holder_id <> known_id then null else guid end as guid,
           case when known_id <> address_id then address_id end as moved_id
  from     known
  where    known_id is not null
  order by target, known_id, video_id`

// The look-ups of stored videos that entries of feeds may be. `match-candidates.ts` compares them with the entries.
//
// Each is a lateral query with `offset 0`. The planner then cannot merge it into a join that reads the whole table, which it prefers
// while the table is small, and keeps for the later saves of a connection.

/**
 * The entries of `listed` with the stored videos that have one of their identifiers. `own_id`: the stored video under the `video_id` of the
 * entry. `at_id`: the stored video under its `address_id`; `at_guid`, `at_title` and `at_published_at` are of that stored video.
 * `spare_found`, `former_found`: the stored videos under `spare_id` and `former_id`. `holder_…`: the stored video that has the guid of the
 * entry.
 */
const withStored = (sql: Sql) => sql`
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
const moved = (sql: Sql) => sql`
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
const targetsWithRandomGuids = (sql: Sql) => sql`
  select   target
  from     entry
  where    guid is not null
  group by target
  having   count(distinct address_id) = count(*)
  and      count(at_id) >= greatest(2, count(*) / 2.0)
  and      count(holder_id) = 0`
