/** One user's imports: lists of channels that are worked through line by line. */
import { jsonText } from '../../runtime/json.ts'
import type { FeedPause, Import, ImportLine, LineResult, ListKind, ListLine, WaitingLine } from '../../schema/import.ts'
import type { UserId } from '../../schema/user.ts'
import type { Sql } from '../postgres/client.ts'
import { feeds_prefix, pausedFeeds, pauseHost } from '../queue/host-pauses.ts'
import { addImport } from '../queue/queue.ts'

/** Older imports are deleted when a new one begins. */
const max_kept = 20
/** Unfinished imports of one person at the same time. */
const max_running = 5

export type SettledLine = LineResult & { position: number }

export interface Imports {
  /** The latest few, newest first. */
  list(): Promise<Import[]>
  find(import_id: string): Promise<Import | undefined>
  /** Failed lines first, then the others, each in the order of the list. */
  lines(import_id: string, limit: number): Promise<ImportLine[]>
  /**
   * Returns the id of the import; `undefined`: too many are unfinished.
   * `passed_over`: how many lines of the list name no channel.
   */
  begin(kind: ListKind, lines: ListLine[], passed_over?: number): Promise<string | undefined>
  /** The lines that wait, in order. */
  waiting(import_id: string): Promise<WaitingLine[]>
  /** The pauses of feeds, for everyone or for this person's imports. */
  pauses(): Promise<FeedPause[]>
  /** Pauses the host for this person's imports only, and not for scheduled fetches or other people. */
  pauseHost(host: string, retry_after_s: number | undefined, reason: string): Promise<void>
  /** Makes the line wait until `not_before`, even if its host is not paused. */
  postpone(import_id: string, position: number, not_before: Date): Promise<void>
  /** Records the results of waiting lines, in one statement. A line that no longer waits is not changed. */
  settle(import_id: string, settled: SettledLine[]): Promise<void>
  /** Ends one job of the import. While lines wait, queues the next job, to run at `next` or now; otherwise finishes the import. */
  endJob(import_id: string, next: Date | null): Promise<'more' | 'finished'>
  /** Makes the failed lines wait again, and queues a job for them. Returns how many. */
  retry(import_id: string): Promise<number>
}

export function importsOf(sql: Sql, user_id: UserId): Imports {
  const mine = sql`user_id = ${user_id}`
  const select = sql`
    select imports.id as import_id, kind, created_at, finished_at, passed_over, total, waiting, added, already, failed
    from   imports
    cross join lateral (
      select count(*)                                      as total,
             count(*) filter (where outcome = 'waiting')   as waiting,
             count(*) filter (where outcome = 'added')     as added,
             count(*) filter (where outcome = 'already')   as already,
             count(*) filter (where outcome = 'failed')    as failed
      from   import_lines line
      where  line.user_id = imports.user_id and line.import_id = imports.id
    ) counted`
  // Compared as text, so that an id that is not a UUID is not found instead of an error.
  const find = async (import_id: string) => {
    const [found] = await sql<Import[]>`
      ${select}
      where ${mine} and id::text = ${import_id}`
    return found
  }

  return {
    find,

    list: () => sql<Import[]>`
      ${select}
      where    ${mine}
      order by created_at desc
      limit    ${max_kept}`,

    lines: (import_id, limit) => sql<ImportLine[]>`
      select   position, address, line.title, outcome, message, channel.channel_id
      from     import_lines line
      left join channels channel on channel.user_id = line.user_id and channel.channel_id = line.channel_id
      where    line.user_id = ${user_id} and import_id = ${import_id}
      order by outcome <> 'failed', position
      limit    ${limit}`,

    begin: (kind, lines, passed_over = 0) =>
      sql.begin(async tx => {
        const [begun] = await tx<{ import_id: string }[]>`
          insert into imports (user_id, kind, passed_over)
          select ${user_id}, ${kind}, ${passed_over}
          where  (select count(*) from imports where ${mine} and finished_at is null) < ${max_running}
          returning id as import_id`
        if (!begun) return undefined
        await tx`
          insert into import_lines (user_id, import_id, position, address, title)
          select ${user_id}, ${begun.import_id}, position - 1, address, title
          from   rows from (json_to_recordset(${sql.json(lines)}::json) as (address text, title text))
                 with ordinality as line (address, title, position)`
        await tx`
          delete from imports
          where  ${mine} and finished_at is not null
          and    id not in (select id from imports where ${mine} order by created_at desc limit ${max_kept})`
        await addImport(tx, { user_id, import_id: begun.import_id })
        return begun.import_id
      }),

    waiting: import_id => sql<WaitingLine[]>`
      select   position, address, title, outcome, message, channel_id, not_before
      from     import_lines
      where    ${mine} and import_id = ${import_id} and outcome = 'waiting'
      order by position`,

    pauses: () => pausedFeeds(sql, user_id),
    pauseHost: (host, retry_after_s, reason) => pauseHost(sql, feeds_prefix + host, { user_id, retry_after_s, reason }),

    async postpone(import_id, position, not_before) {
      await sql`
        update import_lines
        set    not_before = ${not_before}
        where  ${mine} and import_id = ${import_id} and position = ${position} and outcome = 'waiting'`
    },

    async settle(import_id, settled) {
      await sql`
        update import_lines line
        set    outcome = settled.outcome, message = settled.message, channel_id = settled.channel_id
        from   json_to_recordset(${jsonText(settled)}::text::json) as settled (
                 position int, outcome text, message text, channel_id text)
        where  ${mine} and import_id = ${import_id} and line.position = settled.position and line.outcome = 'waiting'`
    },

    endJob: (import_id, next) =>
      sql.begin(async tx => {
        const [left] = await tx`
          select from import_lines
          where  ${mine} and import_id = ${import_id} and outcome = 'waiting'
          limit  1`
        if (left) await addImport(tx, { user_id, import_id }, next)
        else {
          await tx`
            update imports
            set    finished_at = now()
            where  ${mine} and id = ${import_id} and finished_at is null`
        }
        return left ? 'more' : 'finished'
      }),

    retry: import_id =>
      sql.begin(async tx => {
        const { count } = await tx`
          update import_lines
          set    outcome = 'waiting', message = null, not_before = null
          where  ${mine} and import_id = ${import_id} and outcome = 'failed'`
        if (count === 0) return 0
        await tx`
          update imports
          set    finished_at = null
          where  ${mine} and id = ${import_id}`
        await addImport(tx, { user_id, import_id })
        return count
      }),
  }
}
