/** A video in a list of its person's own, the history or a playlist: a row with what only this list does. */
import type { Child } from 'hono/jsx'
import { awaitsPicture } from '../../schema/values/picture.ts'
import type { ListedVideo } from '../../schema/videos/video.ts'
import { DownloadCell } from '../downloads/download-cell.tsx'
import { ChannelLink, LineFacts, VideoTitle } from '../ui/about-video.tsx'
import { cellId } from '../ui/element-ids.ts'
import { Thumbnail, watchedPercent } from '../ui/pictures.tsx'
import { Marks } from '../videos/marks.tsx'

type Props = {
  video: ListedVideo
  now: Date
  heading: 'h2' | 'h3'
  /** After the name of the channel. */
  line: Child
  children?: Child
}

export const OwnRow = ({ video, now, heading, line, children }: Props) => (
  <li class="row own" data-video={video.video_id}>
    <Thumbnail video={video} is_awaited={awaitsPicture(video)} watched_percent={watchedPercent(video)} />
    <div class="about">
      <VideoTitle video={video} heading={heading} />
      <p class="quiet line">
        <LineFacts video={video} />
        <ChannelLink video={video} /> · {line}
      </p>
    </div>
    <Marks video={video} />
    {children}
    <DownloadCell download={video} now={now} />
  </li>
)

/** Takes the row out of the page. */
export const RowGone = ({ video_id }: { video_id: string }) => (
  <hx-partial hx-target={`#videos .row.own:has(#${cellId(video_id)})`} hx-swap="delete"></hx-partial>
)
