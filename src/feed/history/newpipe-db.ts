/**
 * Reads NewPipe's database: what was watched, how far, and the subscriptions. The file is from outside, so each table is read from its
 * beginning to a limit, without joins, views or an order that a hostile schema could make endless.
 */
import { open } from 'node:fs/promises'
import { entryAt } from './history-items.ts'
import type { Marks } from './marks.ts'

export type Subscription = { address: string; title: string | undefined }

const max_rows = 1_000_000

export const isDatabase = (head: Uint8Array): boolean =>
  Buffer.from(head.subarray(0, 16)).toString('latin1') === 'SQLite format 3\0'

/** Adds the history to `marks` and returns the subscriptions; undefined: it is another database. `path`: a copy that may be changed. */
export async function readNewPipe(path: string, marks: Marks): Promise<Subscription[] | undefined> {
  await leaveLogMode(path)
  const { DatabaseSync } = await import('node:sqlite')
  const database = new DatabaseSync(path, { readOnly: true, enableForeignKeyConstraints: false })
  try {
    database.exec('pragma trusted_schema = off; pragma cell_size_check = on; pragma mmap_size = 0')
    const tables = new Set(
      database
        .prepare(plain_tables)
        .iterate()
        .map(({ name }) => name),
    )
    if (!tables.has('streams') || !tables.has('stream_history')) return undefined
    const rowsOf: RowsOf = (columns, table, most = max_rows) =>
      tables.has(table) ? database.prepare(`select ${columns} from ${table} limit ${most}`).iterate() : [].values()
    addHistory(marks, rowsOf)
    for (const _ of rowsOf('1', 'playlists', 10_000)) marks.add('playlists_unread')
    return rowsOf(`${short('url', 2100)}, ${short('name', 500)}`, 'subscriptions', 20_000)
      .flatMap(({ url, name }) =>
        typeof url === 'string' ? [{ address: url, title: typeof name === 'string' ? name : undefined }] : [],
      )
      .toArray()
  } catch {
    return undefined
  } finally {
    database.close()
  }
}

/** Lists no views, and no tables that compute anything: a hostile expression could take minutes, which no thread can end. */
const plain_tables = `
  select name
  from   pragma_table_list
  where  schema = 'main' and type = 'table'
  and    name in ('streams', 'stream_history', 'stream_state', 'subscriptions', 'playlists')
  and    not exists (select from_column.name from pragma_table_xinfo(pragma_table_list.name) from_column where hidden <> 0)`

/** Null instead of a longer text, which is then not even read. A text can have a gigabyte. */
const short = (column: string, most_bytes: number) =>
  `case when octet_length(${column}) <= ${most_bytes} then ${column} end as ${column}`

const number = (column: string) => `case when typeof(${column}) = 'integer' then ${column} end as ${column}`

type RowsOf = (columns: string, table: string, most?: number) => IteratorObject<Record<string, unknown>>

function addHistory(marks: Marks, rowsOf: RowsOf): void {
  const watched_at = new Map<unknown, number>()
  for (const { stream_id, access_date } of rowsOf(`${number('stream_id')}, ${number('access_date')}`, 'stream_history'))
    watched_at.set(stream_id, Math.max(watched_at.get(stream_id) ?? 0, Number(access_date)))
  const position_ms = new Map(
    rowsOf(`${number('stream_id')}, ${number('progress_time')}`, 'stream_state').map(({ stream_id, progress_time }) => [
      stream_id,
      Number(progress_time),
    ]),
  )
  for (const { uid, url, duration } of rowsOf(
    `${number('uid')}, ${short('url', 2100)}, ${number('duration')}`,
    'streams',
  )) {
    const at_ms = watched_at.get(uid)
    // Streams are also in playlists and in the feed.
    if (at_ms === undefined) continue
    const ms = position_ms.get(uid)
    const more = {
      position_s: ms === undefined ? undefined : ms / 1000,
      duration_s: Number(duration) > 0 ? Number(duration) : undefined,
    }
    marks.add(entryAt(String(url), at_ms, more) ?? 'unknown')
  }
}

/** A database in the mode of Android's apps cannot be opened for reading only. Two bytes of its head say which mode it has. */
async function leaveLogMode(path: string): Promise<void> {
  const file = await open(path, 'r+')
  await file.write(Uint8Array.of(1, 1), 0, 2, 18).finally(() => file.close())
}
