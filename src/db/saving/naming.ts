/**
 * Decides which stored video each entry of a feed is, although its address, guid, title or date may have changed: no
 * video is stored twice, and no two become one. `naming-candidates.ts` finds the videos that an entry may be; `save-statement.ts` saves.
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
import type { Sql } from '../postgres/client.ts'
import { byAddress, byGuid, byIdentifier, byTitle, sharingAddress, unmatched } from './naming-candidates.ts'
import { moved, withRandomGuids, withStored } from './naming-lookups.ts'

/**
 * Gives each entry of `listed` the `video_id` that it is stored under, or will be. A candidate is a pair of an entry and a stored
 * video that may be the same, with a rank; 0 is the best. Each entry chooses its best candidate. If several entries choose one
 * stored video, the best ranked gets it. An entry without a stored video gets its own identifier, or its spare one if another
 * video has its own.
 *
 * `listed` has the entries of all channels that are saved. `target` is the number of the channel, and `at` that of the entry in its
 * feed. The choice uses windows over one list and no join of two lists, because the planner cannot know how long they are.
 */
export const identified = (sql: Sql) => sql`
  with entry as (${withStored(sql)}),
  random_guids as (${withRandomGuids(sql)}),
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
