/** Which of the known videos each entry of a feed is, whatever has changed of it. Leaves the saving to `saving`. */
import type { UserId } from '../schema/user.ts'
import type { Sql } from './client.ts'

export type Whose = { user_id: UserId; channel_id: string }

/**
 * The entries under the identifiers they are known by. One at a new address may be a known video that has moved, but only
 * one that nothing else in the feed is by its address. Then it is known by its feed's name for it, together with its title
 * or its date: without these, feeds that number their entries anew each time would turn one video into the next. Else by
 * its title and its very date, when nothing else has both.
 */
export const named = (sql: Sql, { user_id, channel_id }: Whose) => sql`
  select   distinct on (1)
           coalesce(known.video_id, listed.video_id) as video_id,
           listed.video_url, listed.title, listed.thumbnail_url, listed.description, listed.published_at,
           -- Another video's already; then this one has none.
           case when holder.video_id <> coalesce(known.video_id, listed.video_id) then null else listed.guid end as guid,
           case when known.video_id <> listed.video_id then listed.video_id end as moved_id
  from     (select *, count(*) over (partition by title, published_at) = 1 as is_alone from listed) listed
  left join video_entries elsewhere
  on       (elsewhere.user_id, elsewhere.channel_id, elsewhere.moved_id) = (${user_id}, ${channel_id}, listed.video_id)
  left join video_entries here
  on       (here.user_id, here.channel_id, here.video_id) = (${user_id}, ${channel_id}, listed.video_id)
  left join video_entries holder
  on       (holder.user_id, holder.channel_id, holder.guid) = (${user_id}, ${channel_id}, listed.guid)
  left join lateral (
    select holder.video_id
    where  holder.video_id not in (select video_id from listed)
    and    coalesce(holder.moved_id not in (select video_id from listed), true)
    and    (holder.title = listed.title or holder.published_at = listed.published_at or ${isNobodyElses(sql)})
  ) called on true
  left join (${alone(sql, { user_id, channel_id })}) alike
  on       (alike.title, alike.published_at) = (listed.title, listed.published_at)
  -- YouTube's identifiers have no dot, and two of them are two videos.
  and      listed.is_alone and listed.video_id like '%.%'
  left join lateral (
    select coalesce(elsewhere.video_id, here.video_id, called.video_id, alike.video_id) as video_id
  ) known on true
  order by 1, elsewhere.video_id, here.video_id`

/** Long numbers and UUIDs are given once; addresses and small numbers are given again. Those of 64 were too long to keep. */
const isNobodyElses = (sql: Sql) => sql`
  listed.guid ~* '^[^/?]*([0-9]{7}|[0-9a-f]{20}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})[^/?]*$' and length(listed.guid) < 64`

/** The videos that have left the feed, under every name, and are the only ones of their title and date. */
const alone = (sql: Sql, { user_id, channel_id }: Whose) => sql`
  select   title, published_at, min(video_id) as video_id
  from     video_entries
  where    (user_id, channel_id) = (${user_id}, ${channel_id})
  and      published_at is not null
  and      video_id not in (select video_id from listed)
  and      coalesce(moved_id not in (select video_id from listed), true)
  and      coalesce(guid not in (select guid from listed where guid is not null), true)
  group by title, published_at
  having   count(*) = 1`
