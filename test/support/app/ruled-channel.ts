/** In the database and on disk: one person's channel with videos of which much is known, for tests of rules. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Sql } from '../../../src/db/postgres/client.ts'
import type { Source } from '../../../src/schema/sources/facts.ts'
import type { FeedEntry } from '../../../src/schema/sources/feed.ts'
import type { Files } from '../../../src/store/files.ts'
import { placeOf } from '../../../src/store/paths.ts'
import { entry, type Person } from './people.ts'

export const channel_id = 'kitchen'
const channel = { channel_id, title: 'Slow Kitchen', rss_url: 'https://videos.example/kitchen.xml' }

export type Given = Partial<FeedEntry> & { days_ago: number; source?: Source }

const day_ms = 86_400_000

/** Saves these videos as the feed brings them; those with another source as a backfill or an address would. */
export async function saves({ library }: Person, sql: Sql, videos: Record<string, Given>): Promise<void> {
  await library.channels.save(
    channel,
    Object.entries(videos).map(([video_id, { days_ago, source: _, ...more }]) =>
      entry(video_id, { published_at: new Date(Date.now() - days_ago * day_ms), ...more }),
    ),
  )
  for (const [video_id, { source }] of Object.entries(videos))
    if (source)
      await sql`
        update video_entries set source = ${source}
        where  user_id = ${library.user_id} and video_id = ${video_id} and source <> ${source}`
}

/** The videos that wait for a worker, in the order of their requests' rounds. */
export async function queuedFor({ library }: Person, sql: Sql): Promise<string[]> {
  const rows = await sql<{ video_id: string }[]>`
    select   payload ->> 'video_id' as video_id
    from     graphile_worker._private_jobs
    where    payload ->> 'user_id' = ${library.user_id} and key like 'download:%'
    order by priority, run_at, id`
  return rows.map(({ video_id }) => video_id)
}

/** Does what a worker does, without fetching: the file is there, and its job is over. */
export async function downloads({ library }: Person, sql: Sql, files: Files, folder: string, video_id: string) {
  const claim = crypto.randomUUID()
  if (!(await library.downloads.start(video_id, claim))) throw new Error(`${video_id} cannot start`)
  const file = join(folder, `${claim}.mp4`)
  await writeFile(file, video_id)
  const download_path = placeOf({ user_id: library.user_id, channel_id, video_id })
  const { put } = await files.stage(file, download_path)
  await library.downloads.finish(video_id, claim, { download_path, file_size: video_id.length }, put, files.purge)
  await sql`
    delete from graphile_worker._private_jobs
    where  payload ->> 'user_id' = ${library.user_id} and payload ->> 'video_id' = ${video_id}`
}

/** The videos whose files are there, as far as the database knows. */
export async function onDiskOf({ library }: Person, sql: Sql): Promise<string[]> {
  const rows = await sql<{ video_id: string }[]>`
    select   distinct video_id
    from     video_entries
    where    user_id = ${library.user_id} and download_status = 'COMPLETED'
    order by video_id`
  return rows.map(({ video_id }) => video_id)
}
