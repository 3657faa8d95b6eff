/** A video as a card: its picture, title, channel, age and download cell. */
import type { Child } from 'hono/jsx'
import type { ListedVideo } from '../../schema/video.ts'
import { DownloadCell } from './download-cell.tsx'
import { LineFacts } from './facts.tsx'
import { remembered } from './remembered.ts'
import { Mark } from './seen-mark.tsx'
import { isSettled, SettledCell } from './settled-cell.tsx'
import { type ShownVideo, shownOf } from './shown-video.ts'
import { Thumbnail } from './thumbnail.tsx'
import { When } from './times.tsx'
import { VideoTitle } from './video-title.tsx'
import { channelPath } from './words.ts'

type GridProps = {
  videos: ListedVideo[]
  now: Date
  /** One level below the heading above the cards. */
  heading?: Heading
  id?: string | undefined
  /** The grid is at the top of its page. */
  leads?: boolean
}
type Heading = 'h2' | 'h3'

export const VideoGrid = ({ videos, now, heading = 'h2', id, leads: is_first = false }: GridProps) => (
  <div class="grid" id={id}>
    {videos.map((video, index) => {
      const shown = shownOf(video, now)
      const leads = is_first && index < first_in_sight
      return isSettled(video) ? (
        <SettledCard {...shown} heading={heading} leads={leads} />
      ) : (
        <Card video={shown} heading={heading} leads={leads} cell={<DownloadCell download={video} now={now} />} />
      )
    })}
  </div>
)

/** A phone shows one or two cards before scrolling; the pictures of the others load lazily. */
const first_in_sight = 2

/** `leads`: its picture is loaded first. */
type CardProps = { video: ShownVideo; heading: Heading; leads: boolean; cell: Child }

const Card = ({ video, heading, leads, cell }: CardProps) => (
  <article class="video">
    <Thumbnail video={video} leads={leads} />
    <div class="about">
      <div class="named">
        <VideoTitle video={video} heading={heading} />
        <p class="quiet line">
          <LineFacts video={video} />
          <a href={channelPath(video)}>{video.channel_title}</a> · <When video={video} />
        </p>
      </div>
      {cell}
    </div>
    <Mark video_id={video.video_id} is_seen={video.is_seen} />
  </article>
)

const SettledCard = remembered(({ heading, leads, ...video }: ShownVideo & Pick<CardProps, 'heading' | 'leads'>) => (
  <Card video={video} heading={heading} leads={leads} cell={<SettledCell download={video} />} />
))
