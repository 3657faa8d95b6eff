/** One user's media servers, and what both sides said of each video after the last exchange. */
import { type MediaServer, max_media_servers, type WatchState } from '../../schema/media/media-server.ts'
import type { UserId } from '../../schema/values/user.ts'
import { firstRow, hasAny, oneByOne, type Piece, type Queryable, type Sql } from '../postgres/client.ts'
import { addExchange } from '../queue/jobs.ts'
import { foldersIn } from './media-paths.ts'

export type StoredServer = MediaServer & { sealed_key: Uint8Array; username: string; read_due_at: Date | null }
type NewServer = Pick<StoredServer, 'server_id' | 'kind' | 'address' | 'person' | 'sealed_key'>

/** An absent one stays as it is. */
type ServerChange = { [Name in 'address' | 'person' | 'sealed_key']?: StoredServer[Name] | undefined }

/** The states of both sides after the last exchange. */
export type Exchanged = { item_id: string; ours: WatchState; theirs: WatchState }

/** `path`: below the person's folder. `last`: null before the first exchange. */
export type VideoInTree = {
  video_id: string
  path: string
  duration_seconds: number | null
  is_watched: boolean
  position_seconds: number
  at: Date | null
  forgotten_at: Date | null
  last: Exchanged | null
}

/** Minutes between two exchanges; while a server fails, the time is as long as it has failed, within these. */
const [exchange_minutes, most_minutes] = [10, 60]

export function mediaServersOf(sql: Sql, user_id: UserId) {
  const mine = sql`media_servers.user_id = ${user_id}`
  const columns = shownColumns(sql)

  return {
    ...exchangesOf(sql, user_id),

    /** The oldest first. */
    list: (): Promise<MediaServer[]> => sql<MediaServer[]>`
      select ${columns} from media_servers where ${mine} order by media_servers.created_at, server_id`,

    find: (server_id: string): Promise<StoredServer | undefined> =>
      firstRow(sql<StoredServer[]>`${storedServers(sql, mine)} and server_id::text = ${server_id}`),

    add: (server: NewServer): Promise<MediaServer | 'full'> =>
      oneByOne(sql, user_id, async tx => {
        const [added] = await tx<MediaServer[]>`
          insert into media_servers (user_id, server_id, kind, address, person, sealed_key)
          select ${user_id}, ${server.server_id}, ${server.kind}, ${server.address}, ${server.person}, ${server.sealed_key}
          where  (select count(*) from media_servers where ${mine}) < ${max_media_servers}
          returning ${columns}`
        return added ?? 'full'
      }),

    /** The next exchange is due now. Another place or person has other states. `undefined`: there is no such server. */
    change: (server_id: string, { address, person, sealed_key }: ServerChange): Promise<MediaServer | undefined> =>
      sql.begin(async tx => {
        if (address !== undefined || person !== undefined)
          await tx`delete from media_server_videos where user_id = ${user_id} and server_id::text = ${server_id}`
        return firstRow(tx<MediaServer[]>`
          update media_servers
          set    address = ${address ?? tx`address`}, sealed_key = ${sealed_key ?? tx`sealed_key`},
                 person = ${person === undefined ? tx`person` : person},
                 exchange_at = now(), failing_since = null, fault = null
          where  user_id = ${user_id} and server_id::text = ${server_id}
          returning ${columns}`)
      }),

    /** `false`: there is no such server. */
    remove: (server_id: string): Promise<boolean> =>
      hasAny(sql`delete from media_servers where ${mine} and server_id::text = ${server_id}`),
  }
}

const shownColumns = (sql: Queryable) => sql`
  server_id, kind, address, person, media_servers.created_at, exchanged_at, failing_since, fault`

const storedServers = (sql: Queryable, mine: Piece) => sql`
  select ${shownColumns(sql)}, sealed_key, read_due_at, username
  from   media_servers
  join   users on users.id = user_id
  where  ${mine}`

function exchangesOf(sql: Sql, user_id: UserId) {
  const mine = sql`media_servers.user_id = ${user_id}`
  /** Not changed since it was read. */
  const same = ({ server_id, sealed_key, person }: StoredServer) => sql`
    server_id = ${server_id} and sealed_key = ${sealed_key} and person is not distinct from ${person}`

  return {
    /** `undefined`: it is gone, its person is locked, or has nothing in MEDIA_DIR. */
    begin: (server_id: string): Promise<StoredServer | undefined> =>
      firstRow(sql<StoredServer[]>`
        ${storedServers(sql, mine)}
        and    server_id = ${server_id} and locked_at is null
        and    (read_due_at is not null or exists (select from media_episodes where user_id = ${user_id} and state = 'present'))`),

    /**
     * Asks all servers to read the folder again in a minute, if the tree has another stamp than `stamp`: each update that writes or removes
     * videos gives it a new one. Further changes put the reading off, but the next exchange does it at the latest.
     */
    async readAgain(stamp: string | null): Promise<void> {
      const due = await sql<{ server_id: string; failing_since: Date | null }[]>`
        update media_servers
        set    read_due_at = coalesce(read_due_at, now())
        where  ${mine}
        and    exists (select from media_trees where user_id = ${user_id} and stamp is distinct from ${stamp})
        returning server_id, failing_since`
      for (const { server_id, failing_since } of due)
        if (failing_since === null) await addExchange(sql, { user_id, server_id }, 60)
    },

    async recordReading({ server_id, read_due_at }: StoredServer): Promise<void> {
      await sql`
        update media_servers
        set    read_due_at = null
        where  ${mine} and server_id = ${server_id} and date_trunc('milliseconds', read_due_at) = ${read_due_at}`
    },

    /** Videos in the tree, with what the person watched of them here, and the states after the last exchange. */
    videos: (server_id: string): Promise<VideoInTree[]> => sql<VideoInTree[]>`
      select written.video_id, ltrim(${foldersIn(sql)} || '/' || name, '/') as path,
             coalesce(viewing.duration_seconds, entry.duration_seconds) as duration_seconds,
             seen_at is not null as is_watched,
             case when forgotten_at is null then coalesce(position_seconds, 0) else 0 end as position_seconds,
             greatest(seen_at, watched_at, forgotten_at) as at, forgotten_at,
             case when item_id is not null then json_build_object(
               'item_id', item_id,
               'ours', json_build_object('is_watched', our_watched, 'position_seconds', our_position),
               'theirs', json_build_object('is_watched', their_watched, 'position_seconds', their_position)) end as last
      from   media_episodes written
      join   media_channels show using (user_id, channel_id)
      join   lateral (
               select max(duration_seconds) as duration_seconds
               from   video_entries
               where  video_entries.user_id = ${user_id} and video_entries.video_id = written.video_id
               having count(*) > 0) entry on true
      left join viewings viewing on viewing.user_id = ${user_id} and viewing.video_id = written.video_id
      left join media_server_videos known
      on     known.user_id = ${user_id} and known.video_id = written.video_id and known.server_id = ${server_id}
      where  written.user_id = ${user_id} and state = 'present'`,

    async recordStates(server: StoredServer, states: (Exchanged & { video_id: string })[]): Promise<void> {
      const rows = states.map(({ video_id, item_id, ours, theirs }) => ({
        video_id,
        item_id,
        our_watched: ours.is_watched,
        our_position: ours.position_seconds,
        their_watched: theirs.is_watched,
        their_position: theirs.position_seconds,
      }))
      await sql`
        insert into media_server_videos
        select user_id, server_id, given.*
        from   media_servers,
               json_to_recordset(${JSON.stringify(rows)}::text::json) as given (
                 video_id text, item_id text, our_watched boolean, our_position int, their_watched boolean, their_position int)
        where  ${mine} and ${same(server)}
        on conflict on constraint media_server_videos_pkey do update
        set    item_id = excluded.item_id, our_watched = excluded.our_watched, our_position = excluded.our_position,
               their_watched = excluded.their_watched, their_position = excluded.their_position`
    },

    /** `has_more`: the next exchange is due at once. */
    async recordExchange(server: StoredServer, has_more: boolean): Promise<void> {
      await sql`
        update media_servers
        set    exchange_at = now() + ${has_more ? 0 : exchange_minutes} * interval '1 minute', exchanged_at = now(),
               failing_since = null, fault = null
        where  ${mine} and ${same(server)}`
    },

    /** `needs_change`: no exchange is due until the person changes something. */
    async recordFault(
      server: StoredServer,
      { message: fault, needs_change }: { message: string; needs_change: boolean },
    ) {
      await sql`
        update media_servers
        set    failing_since = coalesce(failing_since, now()), fault = ${fault},
               exchange_at = case when not ${needs_change} then now() + least(
                 greatest(now() - failing_since, ${exchange_minutes} * interval '1 minute'),
                 ${most_minutes} * interval '1 minute') end
        where  ${mine} and ${same(server)}`
    },
  }
}
