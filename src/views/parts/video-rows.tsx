/** The videos of a channel as rows, with checkboxes while some are selected. */
import type { Child } from 'hono/jsx'
import type { ListedVideo } from '../../schema/video.ts'
import { titleId } from './cell-ids.ts'
import { DownloadCell } from './download-cell.tsx'
import { LineFacts } from './facts.tsx'
import { remembered } from './remembered.ts'
import { rendered } from './rendered.ts'
import { Mark } from './seen-mark.tsx'
import { isLost, isSettled, SettledCell } from './settled-cell.tsx'
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
      const form = canBeRequested(video) || choose_for === undefined ? choose_for : null
      return isSettled(video) ? (
        <SettledRow {...shown} form={form} />
      ) : (
        <Row video={shown} form={form} cell={<DownloadCell download={video} now={now} />} />
      )
    })}
  </ul>
)

/** `form`: undefined: nothing is chosen here; null: this video cannot be chosen. */
type RowProps = { video: ShownVideo; form: string | null | undefined; cell: Child }

const Row = ({ video, form, cell }: RowProps) => (
  <li class="row">
    {form ? <Choose video_id={video.video_id} form={form} /> : form === null && no_choice}
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

const SettledRow = remembered(({ form, ...video }: ShownVideo & Pick<RowProps, 'form'>) => (
  <Row video={video} form={form} cell={<SettledCell download={video} />} />
))

/** Only videos that can be queued have a checkbox; the others keep its space. The label enlarges the target for a thumb. */
const Choose = ({ video_id, form }: { video_id: string; form: string }) => (
  <label class="choose">
    <input type="checkbox" name="video_id" value={video_id} form={form} aria-labelledby={titleId(video_id)} />
  </label>
)

const no_choice = rendered(<span class="choose"></span>)

const canBeRequested = (video: ListedVideo): boolean =>
  !video.queued && (video.download_status === 'pending' || video.download_status === 'failed') && !isLost(video)
