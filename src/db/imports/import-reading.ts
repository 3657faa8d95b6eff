/**
 * Begins an import of one user while its file is read. That takes minutes for a large file, so each part is stored in a transaction of
 * its own: a long one would keep vacuum from cleaning up. Until the end, the import is not shown and has no job.
 */
import { jsonText } from '../../runtime/json.ts'
import type { ImportContent, ImportPart, ListKind, ListLine, PartKind } from '../../schema/imports/import.ts'
import type { UserId } from '../../schema/values/user.ts'
import type { Sql } from '../postgres/client.ts'
import { addImport } from '../queue/jobs.ts'

/** Older imports are deleted when a new one begins. */
export const max_kept = 20
/** Unfinished imports of one person at the same time. */
const max_running = 5

/** Resolves when the part is stored. */
type StorePart = (part: ImportPart) => Promise<void>
/** `content`: null: the file is a list of channels only. */
export type Taken = { kind: ListKind; lines: ListLine[]; passed_over: number; content: ImportContent | null }
type ReadParts = (store: StorePart) => Promise<Taken>

/** Returns the id of the import; `undefined`: too many are unfinished. */
export function readingOf(sql: Sql, user_id: UserId): (read: ReadParts) => Promise<string | undefined> {
  const mine = sql`user_id = ${user_id}`

  const begin = async () => {
    const [begun] = await sql<{ import_id: string }[]>`
      insert into imports (user_id, kind, being_read)
      select ${user_id}, 'addresses', true
      where  (select count(*) from imports where ${mine} and finished_at is null and not ${isLost(sql)}) < ${max_running}
      returning id as import_id`
    return begun?.import_id
  }

  const end = (import_id: string, { kind, lines, passed_over, content }: Taken) =>
    sql.begin(async tx => {
      const { count } = await tx`
        update imports
        set    kind = ${kind}, passed_over = ${passed_over}, content = ${content && jsonText(content)}::text::jsonb,
               being_read = false
        where  ${mine} and id = ${import_id} and being_read`
      if (count === 0) throw new Error('the import was deleted while its file was read')
      await tx`
        insert into import_lines (user_id, import_id, position, address, title)
        select ${user_id}, ${import_id}, position - 1, address, title
        from   rows from (json_to_recordset(${jsonText(lines)}::text::json) as (address text, title text))
               with ordinality as line (address, title, position)`
      await tx`
        delete from imports
        where  ${mine} and finished_at is not null
        and    id not in (select id from imports where ${mine} order by created_at desc limit ${max_kept})`
      await addImport(tx, { user_id, import_id })
    })

  return async read => {
    const import_id = await begin()
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

/** Channels come before their videos, and rules after these. Parts of one kind are applied in the order of the file. */
const order_of_kinds: PartKind[] = ['channels', 'videos', 'viewings', 'rules', 'settings', 'downloads']
const most_of_a_kind = 100_000_000

/** Stores each part in its own transaction. */
function partStore(sql: Sql, user_id: UserId, import_id: string) {
  let stored = 0
  return async ({ kind, items }: ImportPart): Promise<void> => {
    const position = order_of_kinds.indexOf(kind) * most_of_a_kind + stored++
    await sql`
      insert into import_parts (user_id, import_id, position, kind, items)
      values (${user_id}, ${import_id}, ${position}, ${kind}, ${jsonText(items)}::text::json)`
  }
}
