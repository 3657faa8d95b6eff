import type { Sql } from '../postgres/client.ts'

/**
 * Gives a new database its first statistics of videos. Without them Postgres plans as if a person had one video, so every index that
 * begins with the person looks alike, and a connection keeps such a plan. Autovacuum collects statistics within a minute, but a person
 * can follow thousands of videos before that: matching 5,000 of them again took two minutes, and takes 0.3 s with statistics.
 *
 * `count`: how many videos were just added. The database is asked once, when this process has added `enough_videos`.
 */
export async function recordAdded(sql: Sql, count: number): Promise<void> {
  const before = added.get(sql) ?? 0
  added.set(sql, before + count)
  if (before >= enough_videos || before + count < enough_videos) return
  const [table] = await sql`select from pg_class where oid = 'video_entries'::regclass and reltuples < ${enough_videos}`
  if (table) await sql`analyze video_entries, channels`
}

/** With so many videos the statistics lead to the right indexes, however many more there will be. */
const enough_videos = 200

/** How many videos this process has added to each database. */
const added = new WeakMap<Sql, number>()
