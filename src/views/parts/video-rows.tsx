/** The videos of a channel as rows, with checkboxes. */
import type { ListedVideo } from '../../schema/video.ts'
import { titleId } from './cell-ids.ts'
import { DownloadCell } from './download-cell.tsx'
import { remembered } from './remembered.ts'
import { rendered } from './rendered.ts'
import { SeenMark } from './seen-mark.tsx'
import { Thumbnail } from './thumbnail.tsx'
import { When } from './video-card.tsx'
import { VideoTitle } from './video-title.tsx'

type RowsProps = {
  videos: ListedVideo[]
  now: Date
  /** The id of the form that the checkboxes belong to. */
  choose_for: string
  id?: string
}

export const VideoRows = ({ videos, now, choose_for, id }: RowsProps) => (
  <ul class="rows" id={id}>
    {videos.map(video => (
      <li class="row">
        {canBeRequested(video) ? <Choose video_id={video.video_id} form={choose_for} /> : no_choice}
        <Thumbnail video={video} />
        <div class="about">
          <VideoTitle video={video} heading="h2" />
          <p class="quiet line">
            <When video={video} now={now} />
          </p>
          <SeenMark video={video} />
        </div>
        <DownloadCell download={video} now={now} />
      </li>
    ))}
  </ul>
)

/** Only videos that can be queued have a checkbox; the others keep its space. The label enlarges the target for a thumb. */
const Choose = remembered(({ video_id, form }: { video_id: string; form: string }) => (
  <label class="choose">
    <input type="checkbox" name="video_id" value={video_id} form={form} aria-labelledby={titleId(video_id)} />
  </label>
))

const no_choice = rendered(<span class="choose"></span>)

const canBeRequested = ({ download_status, queued }: Pick<ListedVideo, 'download_status' | 'queued'>): boolean =>
  !queued && (download_status === 'pending' || download_status === 'failed')
