/** The videos of a channel as rows, with checkboxes while some are selected. */
import type { Child } from 'hono/jsx'
import type { ListedVideo } from '../../schema/videos/video.ts'
import { DownloadCell } from '../downloads/download-cell.tsx'
import { isSettled, SettledCell } from '../downloads/settled-cell.tsx'
import { LineFacts } from '../ui/facts.tsx'
import { remembered } from '../ui/remembered.ts'
import { type ShownVideo, shownOf } from '../ui/shown-video.ts'
import { Thumbnail } from '../ui/thumbnail.tsx'
import { When } from '../ui/times.tsx'
import { VideoTitle } from '../ui/video-title.tsx'
import { Choose } from './choosing.tsx'
import { Mark } from './seen-mark.tsx'

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
