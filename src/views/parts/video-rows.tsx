/** The videos of a channel as rows, with checkboxes while some are selected. */
import type { Child } from 'hono/jsx'
import type { ListedVideo } from '../../schema/video.ts'
import { Choose } from './choosing.tsx'
import { DownloadCell } from './download-cell.tsx'
import { LineFacts } from './facts.tsx'
import { remembered } from './remembered.ts'
import { Mark } from './seen-mark.tsx'
import { isSettled, SettledCell } from './settled-cell.tsx'
import { type ShownVideo, shownOf } from './shown-video.ts'
import { Thumbnail } from './thumbnail.tsx'
import { When } from './times.tsx'
import { VideoTitle } from './video-title.tsx'

type RowsProps = {
  videos: ListedVideo[]
  now: Date
  /** The id of the form that the checkboxes belong to; absent: there are none. */
  choose_for?: string | undefined
  id?: string
}

export const VideoRows = ({ videos, now, choose_for, id }: RowsProps) => (
  <ul class="rows" id={id}>
    {videos.map(video => {
      const shown = shownOf(video, now)
      return isSettled(video) ? (
        <SettledRow {...shown} choose_for={choose_for} />
      ) : (
        <Row video={shown} choose_for={choose_for} cell={<DownloadCell download={video} now={now} />} />
      )
    })}
  </ul>
)

type RowProps = { video: ShownVideo; choose_for: string | undefined; cell: Child }

const Row = ({ video, choose_for, cell }: RowProps) => (
  <li class="row">
    {choose_for && <Choose video_id={video.video_id} form={choose_for} />}
    <Thumbnail video={video} is_awaited={video.is_awaited} watched_percent={video.watched_percent} />
    <div class="about">
      <VideoTitle video={video} heading="h2" />
      <p class="quiet line">
        <LineFacts video={video} />
        <When video={video} />
      </p>
    </div>
    <Mark video_id={video.video_id} is_seen={video.is_seen} />
    {cell}
  </li>
)

const SettledRow = remembered(({ choose_for, ...video }: ShownVideo & Pick<RowProps, 'choose_for'>) => (
  <Row video={video} choose_for={choose_for} cell={<SettledCell download={video} />} />
))
