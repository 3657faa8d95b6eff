/** In this process: a video that arrives, with the playlist and the segments that a run of its download has made so far. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { arrivingKey } from '../../../src/domain/downloads/arriving.ts'
import type { Files } from '../../../src/store/files.ts'
import type { Person } from './people.ts'

export const playlist = '#EXTM3U\n#EXT-X-MAP:URI="init.mp4"\n#EXTINF:2.000000,\n0.m4s\n'

type Arrival = { video_id: string; claim: string; is_sharing: boolean; playlist?: string; segment?: string | Buffer }

/** The download of this person's video runs, and its first segment is there. */
export async function arrives(
  { arriving }: Files,
  { user: { user_id }, library }: Person,
  { video_id, claim, is_sharing, playlist: list = playlist, segment = 'segment' }: Arrival,
) {
  await library.downloads.request([video_id])
  const started = await library.downloads.start(video_id, claim)
  if (!started || started.free_at) throw new Error('the run did not start')
  const key = arrivingKey({ ...started.video, user_id, quality: started.quality }, is_sharing)
  const folder = await arriving.newFolder(key, claim)
  await mkdir(folder, { recursive: true })
  for (const [name, content] of Object.entries({ 'index.m3u8': list, 'init.mp4': 'init', '0.m4s': segment }))
    await writeFile(join(folder, name), content)
  return { key, arriving }
}
