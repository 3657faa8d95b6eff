/** Lists of videos as objects. The library gives them as JSON that is written already. */
import type { Library } from '../../../src/db/library.ts'
import type { VideoFilter } from '../../../src/db/videos/videos.ts'
import type { Page, Video } from '../../../src/schema/videos/video.ts'

export async function listOf({ videos }: Library, filter: VideoFilter): Promise<Page<Video>> {
  const { entries, next_cursor } = await videos.list(filter)
  return { entries: JSON.parse(new TextDecoder().decode(entries.bytes), withTimes), next_cursor }
}

const withTimes = (name: string, value: unknown) =>
  typeof value === 'string' && /_(at|until)$/.test(name) ? new Date(value) : value
