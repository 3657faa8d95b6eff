/** The rows of one shelf of the downloads page, each with a checkbox. */
import { awaitsPicture } from '../../schema/values/picture.ts'
import type { Video } from '../../schema/videos/video.ts'
import { rowId } from '../ui/cell-ids.ts'
import { LineFacts } from '../ui/facts.tsx'
import { watchedPercent } from '../ui/shown-video.ts'
import { Thumbnail } from '../ui/thumbnail.tsx'
import { Ago } from '../ui/times.tsx'
import { ChannelLink, VideoTitle } from '../ui/video-title.tsx'
import { DownloadCell } from './download-cell.tsx'

type RowsProps = {
  videos: Video[]
  now: Date
  /** The id of the form that the checkboxes belong to. */
  choose_for: string
}

export const DownloadRows = ({ videos, now, choose_for }: RowsProps) => (
  <ul class="rows">
    {videos.map(video => (
      <li class="row" id={rowId(video.video_id)}>
        <label class="choose">
          <span class="spoken">Select {video.title}</span>
          <input
            type="checkbox"
            name="video_id"
            value={video.video_id}
            form={choose_for}
            data-bytes={video.file_size ?? undefined}
          />
        </label>
        <Thumbnail
          video={video}
          is_awaited={awaitsPicture(video)}
          watched_percent={watchedPercent(video)}
          is_seen={video.seen_at !== null}
        />
        <div class="about">
          <VideoTitle video={video} heading="h3" />
          <p class="quiet line">
            <LineFacts video={video} />
            <ChannelLink video={video} />
            <Ended video={video} now={now} />
          </p>
        </div>
        <DownloadCell download={video} now={now} />
      </li>
    ))}
  </ul>
)

/** When the download ended, with a file or without. */
const Ended = ({ video: { download_completed_at: at }, now }: { video: Video; now: Date }) =>
  at && (
    <>
      {' '}
      · <Ago at={at} now={now} />
    </>
  )
