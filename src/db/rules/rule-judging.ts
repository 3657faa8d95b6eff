/**
 * Judging by the rules of one user: what is still to be judged, and requesting what the domain chose of it. A rule has to judge the videos
 * in a range of places in the list of a channel. New and changed videos extend the range (see the triggers of the migration `rules`). So a
 * judgement reads a page of videos, however many the channel has.
 */
import type { Judged, Rule } from '../../schema/rules/rule.ts'
import type { UserId } from '../../schema/values/user.ts'
import type { Video } from '../../schema/videos/video.ts'
import { max_playlist_videos } from '../../schema/watching/playlist.ts'
import { isAt, requestIn } from '../downloads/requests.ts'
import { firstValue, hasAny, type Piece, type Queryable, type Sql } from '../postgres/client.ts'
import { rule_columns } from './rule-columns.ts'

export type Judgement = {
  revision: number
  /** The videos to request, the newest first. */
  chosen: string[]
  /**
   * Where the next judgement begins. `from`: with this video, at the next refresh, or the next day (UTC) if `wait`. `after`: after this
   * one, soon. Null: all are judged.
   */
  next: { from: string; wait: boolean } | { after: string } | null
}

export function judgingOf(sql: Sql, user_id: UserId) {
  const mine = sql`user_id = ${user_id}`
  const stored = (channel_id: string) => sql`
    select *
    from   channel_rules
    where  ${mine} and channel_id = ${channel_id}`
  return {
    /** `undefined`: the rule is off, has nothing to judge, or waits for the next day. */
    toJudge: (channel_id: string): Promise<ToJudge | undefined> => readToJudge(sql, user_id, stored(channel_id)),

    /** Requests the chosen videos. Returns those that were queued; `undefined`: rule or videos have changed, so judge again. */
    async settle(channel_id: string, { revision, chosen, next }: Judgement): Promise<string[] | undefined> {
      const given_up = new Error('the rule has changed')
      return sql
        .begin(async tx => {
          // The playlist first, as a change of it does. Then the videos and then the rule, as a save does.
          const playlist_id = chosen.length > 0 ? await lockedPlaylist(tx, user_id, channel_id) : undefined
          const results = await requestIn(tx, user_id, chosen, 'rule')
          const queued = chosen.filter(video_id => results.get(video_id) === 'queued')
          const is_settled = await hasAny(tx`
            update channel_rules
            set    ${rangeAfter(sql, user_id, channel_id, next)},
                   requested_count = ${queued.length} + case when requested_on = ${today(sql)} then requested_count else 0 end,
                   requested_on    = ${today(sql)},
                   revision        = revision + 1
            where  ${mine} and channel_id = ${channel_id} and revision = ${revision}`)
          if (!is_settled) throw given_up
          if (playlist_id) await addToPlaylist(tx, user_id, playlist_id, queued)
          return queued
        })
        .catch((fault: unknown) => {
          if (fault !== given_up) throw fault
          return undefined
        })
    },

    /** The videos for members at a host are to be judged again, because the person has stored cookies for it. */
    async judgeMembersVideosAt(host: string): Promise<void> {
      await sql`
        select   judge_later(user_id, channel_id, min(sort_at), max(sort_at))
        from     video_entries entry
        where    ${mine} and availability = 'members_only' and download_asked_by is null and ${isAt(sql, sql`${host}::text`)}
        group by user_id, channel_id
        order by channel_id`
    },

    /** After a fault, so that housekeeping does not try it every minute. */
    async postpone(channel_id: string): Promise<void> {
      await sql`
        update channel_rules
        set    apply_at = now() + interval '1 hour'
        where  ${mine} and channel_id = ${channel_id} and apply_at <= now()`
    },
  }
}

/** The id, if it is a playlist of this person that is not deleted; null otherwise. `playlist_id`: a text. */
export const ownPlaylist = (sql: Queryable, user_id: UserId, playlist_id: Piece): Piece => sql`
  (select playlist_id
   from   playlists
   where  user_id = ${user_id} and playlists.playlist_id::text = ${playlist_id} and deleted_at is null)`

/** The playlist of the rule, which no one changes until the transaction ends. */
const lockedPlaylist = (tx: Queryable, user_id: UserId, channel_id: string): Promise<string | undefined> =>
  firstValue<string>(tx`
    select playlist_id
    from   playlists
    where  user_id = ${user_id} and deleted_at is null
    and    playlist_id = (select playlist_id from channel_rules where user_id = ${user_id} and channel_id = ${channel_id})
    for no key update`)

/**
 * Adds the videos at the end, the last one first, as many as fit. A rule requests a video once, so it adds the video once, and a person
 * who removes it does not get it again: the request is the memory.
 */
const addToPlaylist = (tx: Queryable, user_id: UserId, playlist_id: string, video_ids: string[]) => tx`
  insert into playlist_videos (user_id, playlist_id, video_id, place)
  select user_id, playlist_id, video_id, last_place + nth
  from   (select ${user_id}::uuid as user_id, ${playlist_id}::uuid as playlist_id,
                 coalesce(max(place), 0) as last_place, count(*) filter (where removed_at is null) as videos
          from   playlist_videos
          where  user_id = ${user_id} and playlist_id = ${playlist_id}) known,
         unnest(${video_ids.toReversed()}::text[]) with ordinality as added (video_id, nth)
  where  videos + nth <= ${max_playlist_videos}
  on conflict do nothing`

/** A part of an update of a rule. */
function rangeAfter(sql: Sql, user_id: UserId, channel_id: string, next: Judgement['next']): Piece {
  if (next === null) return sql`judge_from = null, judge_to = null, apply_at = null`
  const place = (video_id: string) => sql`
    (select sort_at
     from   video_entries
     where  user_id = ${user_id} and channel_id = ${channel_id} and video_id = ${video_id})`
  // A video that is gone leaves the range as it is.
  if ('after' in next) return sql`judge_from = coalesce(${place(next.after)}, judge_from), apply_at = now()`
  return sql`
    judge_from = coalesce(${place(next.from)} + interval '1 microsecond', judge_from),
    apply_at   = ${next.wait ? sql`(${today(sql)} + 1)::timestamp at time zone 'UTC'` : sql`null`}`
}

/** A video as a rule judges it, with its date for people. */
export type JudgedVideo = Judged & Pick<Video, 'published_at'>

export type ToJudge = {
  rule: Rule
  /** Given back with the judgement. */
  revision: number
  /** How many the rule may still request today; null: any number. */
  left_today: number | null
  /** The newest videos that are still to be judged, and with `keep_newest` those that count for it. */
  videos: JudgedVideo[]
  /** Older videos are left to be judged. */
  has_more: boolean
}

/** Videos that one judgement reads. It reads more if several have the same place. */
export const page_size = 200

/** `rule`: a query of one row of `channel_rules`. `undefined`: it is off, has nothing to judge, or waits for the next day. */
export async function readToJudge(sql: Sql, user_id: UserId, rule: Piece): Promise<ToJudge | undefined> {
  const [found] = await sql<RuleRow[]>`
    select   ${sql(read_columns)}, on_since is not null as auto_download,
             most_per_day - case when requested_on = ${today(sql)} then requested_count else 0 end as left_today
    from     (${rule}) rule
    where    on_since is not null and judge_from is not null and coalesce(apply_at <= now(), true)`
  if (!found) return undefined
  const videos = await sql<JudgedVideo[]>`
    select   ${judgedColumns(sql)}, 'new' as state
    from     channels channel
    join     (${rule}) rule using (user_id, channel_id)
    cross join lateral (${newestToJudge(sql)}) entry
    where    channel.user_id = ${user_id} and rss_url is not null
    order by entry.sort_at desc, entry.id desc`
  const { revision, left_today, keep_newest, channel_id } = found
  const held = keep_newest === null ? [] : await heldOf(sql, user_id, channel_id, keep_newest)
  return { rule: found, revision, left_today, videos: [...videos, ...held], has_more: videos.length >= page_size }
}

const heldOf = (sql: Sql, user_id: UserId, channel_id: string, limit: number) => sql<JudgedVideo[]>`
  select   ${judgedColumns(sql)}, 'held' as state
  from     video_entries entry
  where    user_id = ${user_id} and channel_id = ${channel_id} and ${isHeld(sql)}
  order by sort_at desc, id desc
  limit    ${limit}`

const read_columns = [...rule_columns, 'playlist_id', 'channel_id', 'revision']
type RuleRow = Rule & { channel_id: string; revision: number; left_today: number | null }

/** Days are counted in UTC. */
const today = (sql: Sql) => sql`(now() at time zone 'UTC')::date`

export const judgedColumns = (sql: Sql) => sql`
  entry.video_id, entry.title, entry.video_url, entry.duration_seconds, entry.live_status,
  case when entry.availability = 'members_only' and ${hasCookies(sql)} then null else entry.availability end as availability,
  entry.published_at, entry.sort_at,
  exists (select from viewings
          where  viewings.user_id = entry.user_id and viewings.video_id = entry.video_id and seen_at is not null) as was_watched,
  exists (select from viewings
          where  viewings.user_id = entry.user_id and viewings.video_id = entry.video_id and not_for_me_at is not null)
    as was_dismissed`

/** Whether the person has cookies for the site, whose account there may be a member. */
const hasCookies = (sql: Sql) => sql`
  exists (select from site_cookies
          where  site_cookies.user_id = entry.user_id
          and    ${isAt(sql, sql`host`)})`

/** What counts for `keep_newest`. A failed download that waits for its next attempt is no file, and pinned files do not count. */
export const isHeld = (sql: Sql) => sql`
  (entry.download_asked_by = 'rule' and entry.standing is not null and not entry.pinned and entry.download_status <> 'FAILED')`

/**
 * The newest videos of `channel` in the range of its `rule`. All videos of the last place are included, so the next page begins below it.
 */
const newestToJudge = (sql: Sql) => sql`
  select   entry.*
  from     video_entries entry
  where    entry.user_id = channel.user_id and entry.channel_id = channel.channel_id
  and      entry.sort_at >= rule.judge_to and entry.sort_at < rule.judge_from
  and      entry.sort_at >= case when rule.include_older and rule.also_since is null then '-infinity'
                                 else least(channel.created_at, rule.also_since) end
  and      entry.download_asked_by is null
  and      ${isMeant(sql)}
  order by entry.sort_at desc
  fetch first (${page_size}) rows with ties`

/**
 * Whether the `rule` is for the place of this `entry` of `channel`: the video was first seen and published, as far as known, after the rule
 * and the channel began; or it is an earlier video that the rule includes. A rule that an import has brought includes only those earlier
 * videos that were loaded afterwards.
 */
export const isMeant = (sql: Sql) => sql`
  (entry.source <> 'listing' and entry.first_seen_at > rule.on_since
   and entry.sort_at >= coalesce(channel.imported_at, channel.created_at) and not ${isOfFirstCheck(sql)}
   or (rule.include_older or entry.source <> 'listing' and rule.also_since is not null)
      and (rule.also_since is null or entry.sort_at >= rule.also_since)
      and (rule.on_since is distinct from channel.imported_at
           or entry.source = 'listing' and entry.first_seen_at > rule.on_since))`

/** The first check after an import finds videos that were published at any time. */
const isOfFirstCheck = (sql: Sql) => sql`
  (channel.imported_at is not null and entry.published_at is null
   and entry.first_seen_at <= coalesce(channel.first_checked_at, 'infinity'))`
