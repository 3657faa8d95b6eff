/**
 * The podcasts that one person made, and the tokens in the addresses of each. `episodes.ts` reads what a podcast lists.
 */
import {
  list_titles,
  max_podcasts,
  type Podcast,
  type PodcastOf,
  type PodcastRequest,
  type ShownPodcast,
} from '../../schema/podcasts/podcast.ts'
import type { UserId } from '../../schema/values/user.ts'
import { newToken, secretsIn } from '../account/secrets.ts'
import { eachValue, firstRow, hasAny, oneByOne, type Piece, type Queryable, type Sql } from '../postgres/client.ts'
import { pictureId } from '../postgres/stored-pictures.ts'
import { episodesOf } from './episodes.ts'

type PodcastRow = Omit<ShownPodcast, 'language'>

export function podcastsOf(sql: Sql, user_id: UserId) {
  const mine = sql`user_id = ${user_id}`

  const read = (which: Piece) => sql<PodcastRow[]>`
    select    feed.feed_id as podcast_id, feed.kind, feed.newest, feed.created_at,
              case when feed.channel_id is not null  then jsonb_build_object('channel_id', channel.channel_id)
                   when feed.group_id is not null    then jsonb_build_object('group_id', feed.group_id)
                   when feed.playlist_id is not null then jsonb_build_object('playlist_id', feed.playlist_id)
                   else jsonb_build_object('list', feed.list) end as of,
              coalesce(channel.title, named_group.name, playlist.name, ${sql.json(list_titles)}::jsonb->>feed.list) as title,
              channel.page_url,
              ${pictureId(sql, 'channel', sql`channel.image_url`)} as picture_id
    from      podcast_feeds feed
    left join channels channel on channel.user_id = feed.user_id and channel.id = feed.channel_id
    left join groups named_group
    on        named_group.user_id = feed.user_id and named_group.group_id = feed.group_id and named_group.deleted_at is null
    left join playlists playlist
    on        playlist.user_id = feed.user_id and playlist.playlist_id = feed.playlist_id and playlist.deleted_at is null
    where     feed.user_id = ${user_id} and ${which}
    -- While a group or a playlist can be restored, its podcasts wait for it.
    and       num_nonnulls(channel.id, named_group.group_id, playlist.playlist_id, feed.list) = 1
    order by  feed.created_at, feed.feed_id`

  return {
    ...episodesOf(sql, user_id),

    /** The oldest first. */
    async list(): Promise<Podcast[]> {
      const [podcasts, uses] = await Promise.all([
        read(sql`true`),
        sql<{ podcast_id: string; last_used_at: Date | null }[]>`
          select   opens->>'podcast_id' as podcast_id, max(last_used_at) as last_used_at
          from     secrets
          where    ${mine} and kind = 'podcast'
          group by 1`,
      ])
      const used = new Map(uses.map(({ podcast_id, last_used_at }) => [podcast_id, last_used_at]))
      return podcasts.map(({ page_url, picture_id, ...podcast }) => ({
        ...podcast,
        last_used_at: used.get(podcast.podcast_id) ?? null,
      }))
    },

    find: (podcast_id: string): Promise<PodcastRow | undefined> =>
      firstRow(read(sql`feed.feed_id::text = ${podcast_id}`)),

    /**
     * Makes a podcast with its first address. `idOf`: the id of the podcast, by the token of the address. `undefined`: there is nothing to
     * list. `full`: the person has the most allowed.
     */
    add: (
      { of, kind, newest }: PodcastRequest,
      idOf: (token: string) => string,
    ): Promise<{ podcast_id: string; token: string } | 'full' | undefined> =>
      oneByOne(sql, user_id, async tx => {
        const podcasts = await tx`select from podcast_feeds where ${mine}`
        if (podcasts.count >= max_podcasts) return 'full'
        const token = newToken('podcast')
        const podcast_id = idOf(token)
        const made = await hasAny(tx`
          insert into podcast_feeds (user_id, feed_id, kind, newest, ${subjectColumn(tx, of)})
          select ${user_id}, ${podcast_id}, ${kind}, ${newest}, ${subject(tx, user_id, of)}`)
        return made ? { podcast_id, token: await addAddress(tx, user_id, podcast_id, token) } : undefined
      }),

    /** Gives these podcasts one more address each. Returns the tokens of the addresses, by the podcasts that exist. */
    addAddresses: (podcast_ids: string[]): Promise<Map<string, string>> =>
      sql.begin(async tx => {
        // Changes of the addresses of one podcast wait for each other, and a podcast that is being deleted gets none.
        const found = await eachValue<string>(tx`
          select   feed_id
          from     podcast_feeds
          where    ${mine} and feed_id::text = any(${podcast_ids})
          order by feed_id
          for no key update`)
        return new Map(
          await Promise.all(
            found.map(
              async podcast_id => [podcast_id, await addAddress(tx, user_id, podcast_id, newToken('podcast'))] as const,
            ),
          ),
        )
      }),

    /** Its addresses open nothing from now on. `false`: there is no such podcast. */
    remove: (podcast_id: string): Promise<boolean> =>
      hasAny(sql`
        with gone as (
          delete from podcast_feeds
          where  ${mine} and feed_id::text = ${podcast_id}
          returning feed_id
        ),
        ended as (
          delete from secrets
          where  ${mine} and kind = 'podcast' and opens->>'podcast_id' in (select feed_id::text from gone)
        )
        select from gone`),
  }
}

/** Returns the token of the address. */
const addAddress = async (tx: Queryable, user_id: UserId, podcast_id: string, token: string): Promise<string> =>
  (await secretsIn(tx).make({ kind: 'podcast', user_id, opens: { podcast_id }, lasts_s: null, token })).token

function subjectColumn(sql: Queryable, of: PodcastOf): Piece {
  if ('channel_id' in of) return sql`channel_id`
  if ('group_id' in of) return sql`group_id`
  return 'playlist_id' in of ? sql`playlist_id` : sql`list`
}

/** The value of that column and the table it is from; it selects no row if the person has no such thing. */
function subject(sql: Queryable, user_id: UserId, of: PodcastOf): Piece {
  const mine = sql`user_id = ${user_id}`
  if ('channel_id' in of) return sql`id from channels where ${mine} and channel_id = ${of.channel_id} for key share`
  if ('group_id' in of)
    return sql`group_id from groups where ${mine} and group_id = ${of.group_id} and deleted_at is null for key share`
  return 'playlist_id' in of
    ? sql`playlist_id from playlists where ${mine} and playlist_id = ${of.playlist_id} and deleted_at is null for key share`
    : sql`${of.list}`
}
