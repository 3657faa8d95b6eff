/** Finds the rows of sounds whose film is gone, of all people. */
import { DownloadJob } from '../../../schema/service/jobs.ts'
import type { Everyone } from '../../everyone.ts'
import { isStale } from '../../rows/sounds.ts'

/** In no order, at most `limit`. */
export async function staleSounds(sql: Everyone, limit: number): Promise<DownloadJob[]> {
  const rows = await sql`select user_id, video_id from sounds sound where ${isStale(sql)} limit ${limit}`
  return rows.map(row => DownloadJob.parse(row))
}
