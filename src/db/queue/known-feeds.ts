/**
 * What a feed itself has said, by its address: the source of truth for everything that decides for all its followers. Only a visit to the
 * feed may call this, never what a person or an archive says of it.
 */
import { jsonText } from '../../runtime/json.ts'
import type { Feed } from '../../schema/sources/feed.ts'
import type { Queryable, Sql } from '../postgres/client.ts'

/** Dates that are stored of a feed, the newest ones. So many tell how often a channel posts. */
const max_dates = 15
/** Identifiers of videos that are stored of a feed. A listing that is read in place of the feed gives fewer. */
const max_videos = 1_200

type VisitedFeed = { rss_url: string; feed: Pick<Feed, 'page_url' | 'entries'> }

/**
 * Stores what the feeds had at their last scheduled visit. A visit by hand stores a feed only if the feed is not known yet, because what
 * the visit found was saved for one person alone.
 */
export async function recordFeeds(
  sql: Queryable,
  visited: VisitedFeed[],
  { on_schedule }: { on_schedule: boolean },
): Promise<void> {
  const rows = visited.map(({ rss_url, feed: { page_url, entries } }) => ({
    rss_url,
    page_url,
    posted: entries.flatMap(({ published_at }) => published_at ?? []).toSorted((a, b) => Number(b) - Number(a)),
    video_ids: entries.slice(0, max_videos).map(({ video_id }) => video_id),
  }))
  await sql`
    insert into feeds as known (rss_url, page_url, posted, video_ids)
    select   distinct on (rss_url) rss_url, page_url,
             -- A video announced for later does not say when the channel posted.
             array(select date from unnest(posted) as date where date <= now() limit ${max_dates}),
             video_ids
    from     json_to_recordset(${jsonText(rows)}::text::json) as visited (
               rss_url text, page_url text, posted timestamptz[], video_ids text[])
    order by rss_url
    on conflict (rss_url) do update
    set    page_url = excluded.page_url, posted = excluded.posted, video_ids = excluded.video_ids
    where  ${on_schedule} and (known.page_url, known.posted, known.video_ids) is distinct from (excluded.page_url, excluded.posted, excluded.video_ids)`
}

/** Stores what the listing had that was read in place of the feed. A feed that was never visited is not stored. */
export async function recordListed(sql: Sql, rss_url: string, video_ids: string[]): Promise<void> {
  await sql`update feeds set listed_ids = ${video_ids.slice(0, max_videos)} where rss_url = ${rss_url}`
}
