/**
 * One user's imports: the lines of a list of channels, and the parts of a history or an archive. An import begins while its file is read,
 * which takes minutes for a large file. Each part is stored in a transaction of its own, because a long transaction would keep vacuum from
 * cleaning up. Until the end, the import is not shown and has no job.
 */
import { jsonText } from '../../runtime/json.ts'
import {
  type FeedPause,
  type Import,
  type ImportLine,
  type LineResult,
  type ListRead,
  no_content,
  part_kinds,
  type Sink,
  type WaitingLine,
} from '../../schema/imports/import.ts'
import type { UserId } from '../../schema/values/user.ts'
import { countOf, firstRow, firstValue, hasAny, oneByOne, type Sql } from '../postgres/client.ts'
import { feeds_prefix, pausedFeeds, pauseHost } from '../queue/host-pauses.ts'
import { addImport } from '../queue/jobs.ts'
import { mergeGroups } from './archive-channels.ts'
import { importPartsOf } from './import-parts.ts'

export type SettledLine = LineResult & { position: number }

export function importsOf(sql: Sql, user_id: UserId) {
  const mine = sql`user_id = ${user_id}`
  const select = sql`
    select imports.id as import_id, kind, created_at, finished_at, passed_over, ${jsonText(no_content)}::text::jsonb || nullif(content - 'groups', '{}') as content, total, waiting, added, already, failed
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
  const find = (import_id: string) =>
    firstRow(sql<Import[]>`
      ${select}
      where ${mine} and id::text = ${import_id} and not being_read`)

  return {
    ...importPartsOf(sql, user_id),
    ...importLinesOf(sql, user_id),
    find,

    /** The latest few, newest first. */
    list: (): Promise<Import[]> => sql<Import[]>`
      ${select}
      where    ${mine} and not being_read
      order by created_at desc
      limit    ${max_kept_imports}`,

    /**
     * Begins an import while its file is read: `read` gives its parts to `store` and returns the rest. If `read` fails, nothing stays.
     * Returns the id of the import; `undefined`: too many are unfinished.
     */
    begin: beginningOf(sql, user_id),

    /** The pauses of feeds, for everyone or for this person's imports. */
    pauses: (): Promise<FeedPause[]> => pausedFeeds(sql, user_id),
    /** Pauses the host for this person's imports only, and not for scheduled fetches or other people. */
    pauseHost: (host: string, retry_after_s: number | undefined, reason: string): Promise<void> =>
      pauseHost(sql, feeds_prefix + host, { user_id, retry_after_s, reason }),
  }
}

/** The lines of one import, and the job that works through them. */
function importLinesOf(sql: Sql, user_id: UserId) {
  const mine = sql`user_id = ${user_id}`

  /** A person who is gone is locked. */
  const isResting = async () => !(await hasAny(sql`select from users where id = ${user_id} and locked_at is null`))

  return {
    /** Failed lines first, then the others, each in the order of the list. */
    lines: (import_id: string, limit: number): Promise<ImportLine[]> => sql<ImportLine[]>`
      select   position, address, line.title, outcome, message, channel.channel_id
      from     import_lines line
      left join channels channel on channel.user_id = line.user_id and channel.channel_id = line.channel_id
      where    line.user_id = ${user_id} and import_id = ${import_id}
      order by outcome <> 'failed', position
      limit    ${limit}`,

    /** The lines that wait, in order. */
    waiting: (import_id: string): Promise<WaitingLine[]> => sql<WaitingLine[]>`
      select   position, address, title, outcome, message, channel_id, not_before
      from     import_lines
      where    ${mine} and import_id = ${import_id} and outcome = 'waiting'
      order by position`,

    /** Makes the line wait until `not_before`, even if its host is not paused. */
    async postpone(import_id: string, position: number, not_before: Date): Promise<void> {
      await sql`
        update import_lines
        set    not_before = ${not_before}
        where  ${mine} and import_id = ${import_id} and position = ${position} and outcome = 'waiting'`
    },

    /** Whether the person is locked: the import then rests. */
    isResting,

    /**
     * Records the results of waiting lines, in one statement. A line that no longer waits is not changed. Returns for each line whether the
     * import rests from now on.
     */
    async settle(import_id: string, settled: SettledLine[]): Promise<boolean[]> {
      await sql`
        update import_lines line
        set    outcome = settled.outcome, message = settled.message, channel_id = settled.channel_id
        from   json_to_recordset(${jsonText(settled)}::text::json) as settled (
                 position int, outcome text, message text, channel_id text)
        where  ${mine} and import_id = ${import_id} and line.position = settled.position and line.outcome = 'waiting'`
      await addToGroups(sql, user_id, import_id, settled)
      const is_resting = await isResting()
      return settled.map(() => is_resting)
    },

    /** Ends one job of the import. While lines wait, queues the next job, to run at `next` or now; otherwise finishes the import. */
    endJob: (import_id: string, next: Date | null): Promise<'more' | 'finished'> =>
      sql.begin(async tx => {
        const has_more = await hasAny(tx`
          select from import_lines
          where  ${mine} and import_id = ${import_id} and outcome = 'waiting'
          union all
          select from import_parts
          where  ${mine} and import_id = ${import_id}
          limit  1`)
        if (has_more) await addImport(tx, { user_id, import_id }, next)
        else
          await tx`update imports set finished_at = now() where ${mine} and id = ${import_id} and finished_at is null`
        return has_more ? 'more' : 'finished'
      }),

    /** Makes the failed lines wait again, and queues a job for them. Returns how many. */
    retry: (import_id: string): Promise<number> =>
      sql.begin(async tx => {
        const count = await countOf(tx`
          update import_lines
          set    outcome = 'waiting', message = null, not_before = null
          where  ${mine} and import_id = ${import_id} and outcome = 'failed'`)
        if (count === 0) return 0
        await tx`update imports set finished_at = null where ${mine} and id = ${import_id}`
        await addImport(tx, { user_id, import_id })
        return count
      }),
  }
}

/** Adds the channels of these lines to the groups that the list has them in. */
const addToGroups = (sql: Sql, user_id: UserId, import_id: string, settled: SettledLine[]) => sql`
  insert into channel_groups (user_id, channel_id, group_id)
  select   channel.user_id, channel.channel_id, owned.group_id
  from     imports
  cross join jsonb_to_recordset(coalesce(content -> 'groups', '[]')) as given (name text, positions int[])
  join     json_to_recordset(${jsonText(settled)}::text::json) as settled (position int, channel_id text)
           on settled.position = any(given.positions)
  join     channels channel on channel.user_id = imports.user_id and channel.channel_id = settled.channel_id
  join     groups owned on owned.user_id = imports.user_id and lower(owned.name) = lower(given.name) and deleted_at is null
  where    imports.user_id = ${user_id} and imports.id = ${import_id}
  order by 2, 3
  for key share of channel
  on conflict do nothing`

/** Older imports are deleted when a new one begins. */
const max_kept_imports = 20
/** Unfinished imports of one person at the same time. */
const max_unfinished_imports = 5

function beginningOf(sql: Sql, user_id: UserId) {
  const mine = sql`user_id = ${user_id}`

  const start = () =>
    oneByOne(sql, user_id, tx =>
      firstValue<string>(tx`
        insert into imports (user_id, kind, being_read)
        select ${user_id}, 'addresses', true
        where  (select count(*) from imports where ${mine} and finished_at is null and not ${isLost(sql)}) < ${max_unfinished_imports}
        returning id as import_id`),
    )

  const end = (import_id: string, { kind, lines, passed_over, content, groups = [] }: ListRead) =>
    sql.begin(async tx => {
      const is_there = await hasAny(tx`
        update imports
        set    kind = ${kind}, passed_over = ${passed_over}, content = ${content || groups.length > 0 ? jsonText({ ...content, groups }) : null}::text::jsonb,
               being_read = false
        where  ${mine} and id = ${import_id} and being_read`)
      if (!is_there) throw new Error('the import was deleted while its file was read')
      await mergeGroups(
        tx,
        user_id,
        groups.map(({ name }) => name),
      )
      await tx`
        insert into import_lines (user_id, import_id, position, address, title)
        select ${user_id}, ${import_id}, position - 1, address, title
        from   rows from (json_to_recordset(${jsonText(lines)}::text::json) as (address text, title text))
               with ordinality as line (address, title, position)`
      await tx`
        delete from imports
        where  ${mine} and finished_at is not null
        and    id not in (select id from imports where ${mine} order by created_at desc limit ${max_kept_imports})`
      await addImport(tx, { user_id, import_id })
    })

  return async (read: (store: Sink) => Promise<ListRead>): Promise<string | undefined> => {
    const import_id = await start()
    if (import_id === undefined) return undefined
    try {
      await end(import_id, await read(partStore(sql, user_id, import_id)))
    } catch (fault) {
      // Housekeeping deletes it where this fails too.
      await sql`delete from imports where ${mine} and id = ${import_id} and being_read`.catch(() => {})
      throw fault
    }
    return import_id
  }
}

/** Whether the process that read the file has died. It reads for at most five minutes. */
export const isLost = (sql: Sql) => sql`(being_read and created_at < now() - interval '15 minutes')`

/** Parts of one kind are applied in the order of the file. */
const max_parts_of_a_kind = 100_000_000

/** Stores each part in its own transaction. */
function partStore(sql: Sql, user_id: UserId, import_id: string): Sink {
  let stored = 0
  return async ({ kind, items }) => {
    const position = part_kinds.indexOf(kind) * max_parts_of_a_kind + stored++
    await sql`
      insert into import_parts (user_id, import_id, position, kind, items)
      values (${user_id}, ${import_id}, ${position}, ${kind}, ${jsonText(items)}::text::json)`
  }
}
