/** What SponsorBlock answered about videos. It belongs to no person. */
import type { Segment } from '../../schema/sources/segment.ts'
import { firstRow, type Queryable } from '../postgres/client.ts'

export type KnownSegments = { segments: Segment[]; fetched_at: Date }

export type SegmentStore = ReturnType<typeof segmentsStored>

export const segmentsStored = (sql: Queryable) => ({
  find: (youtube_id: string): Promise<KnownSegments | undefined> =>
    firstRow(sql<KnownSegments[]>`
      select segments, fetched_at
      from   video_segments
      where  youtube_id = ${youtube_id}`),

  async save(youtube_id: string, segments: Segment[]): Promise<void> {
    await sql`
      insert into video_segments (youtube_id, segments) values (${youtube_id}, ${sql.json(segments)})
      on conflict on constraint video_segments_pkey do update
      set    segments = excluded.segments, fetched_at = now()`
  },
})

/** Segments of videos that are watched are fetched again long before. */
export const forgetOldSegments = (sql: Queryable) => sql`
  delete from video_segments
  where  fetched_at < now() - interval '90 days'`
