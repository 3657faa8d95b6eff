/** What can be done with a download that waits or runs, as items of a menu: it goes first, is paused, or is resumed. */
import type { Video } from '../../schema/video.ts'
import { Act, requestPath } from './download-act.tsx'

type SteeredVideo = Pick<Video, 'video_id' | 'download_status' | 'queued' | 'paused_at'>

export const SteerItems = ({ video: { video_id, download_status, queued, paused_at } }: { video: SteeredVideo }) => {
  const path = requestPath(video_id)
  if (!queued && download_status !== 'downloading') return null
  return (
    <>
      {queued && (
        <Act video_id={video_id} path={`${path}/next`} class="act">
          Download next
        </Act>
      )}
      <Act video_id={video_id} path={`${path}/${paused_at ? 'resume' : 'pause'}`} class="act">
        {paused_at ? 'Resume' : 'Pause'}
      </Act>
    </>
  )
}
