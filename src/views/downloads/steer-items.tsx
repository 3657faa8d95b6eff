/** What can be done with a download that waits or runs, as items of a menu: it goes first, is paused, or is resumed. */
import type { Video } from '../../schema/videos/video.ts'
import { Act, requestPath } from './download-act.tsx'

type SteeredVideo = Pick<Video, 'video_id' | 'download_status' | 'queued' | 'paused_by'>

export const SteerItems = ({ video: { video_id, download_status, queued, paused_by } }: { video: SteeredVideo }) => {
  const path = requestPath(video_id)
  if (!queued && download_status !== 'downloading') return null
  // Neither would help: the notice on the downloads page resumes it.
  if (paused_by === 'site' || paused_by === 'all') return null
  return (
    <>
      {queued && (
        <Act video_id={video_id} path={`${path}/next`} class="act">
          Download next
        </Act>
      )}
      <Act video_id={video_id} path={`${path}/${paused_by ? 'resume' : 'pause'}`} class="act">
        {paused_by ? 'Resume' : 'Pause'}
      </Act>
    </>
  )
}
