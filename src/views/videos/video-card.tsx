/** A video as a card: its picture with what can be done with it, title, channel, age, and the state of its download if it has one. */
import type { Child } from 'hono/jsx'
import type { ListedVideo } from '../../schema/videos/video.ts'
import { DownloadCell } from '../downloads/download-cell.tsx'
import { isSettled, SettledCell } from '../downloads/settled-cell.tsx'
import { LineFacts } from '../ui/facts.tsx'
import { remembered } from '../ui/remembered.ts'
import { type ShownVideo, shownOf } from '../ui/shown-video.ts'
import { type Size, Thumbnail } from '../ui/thumbnail.tsx'
import { When } from '../ui/times.tsx'
import { ChannelLink, VideoTitle } from '../ui/video-title.tsx'
import { Choose } from './choosing.tsx'
import { ListMarks } from './list-marks.tsx'
import { Mark } from './seen-mark.tsx'

type GridProps = {
  videos: ListedVideo[]
  now: Date
  /** One level below the heading above the cards. */
  heading?: Heading
  id?: string | undefined
  /** How many cards are above the grid. Not given: the grid is further down its page. */
  above?: number
  /** At the side of a page of their channel: with pictures as small as those of rows, and without the name of the channel. */
  small?: boolean
  /** What is above each card, such as the name of a day: as wide as the grid. */
  lines?: Child[]
  /** The id of the form that the checkboxes belong to; absent: cards have none. */
  choose_for?: string | undefined
}
type Heading = 'h2' | 'h3'

export const VideoGrid = ({
  videos,
  now,
  heading = 'h2',
  id,
  above = Number.POSITIVE_INFINITY,
  small = false,
  lines = [],
  choose_for,
}: GridProps) => (
  <div class="grid" id={id}>
    {videos.map((video, index) => {
      const shown = shownOf(video, now)
      const how = { heading, leads: leadOf(above + index), size: small ? 'row' : 'card', choose_for } as const
      const card = isSettled(video) ? (
        <SettledCard {...shown} {...how} />
      ) : (
        <Card video={shown} {...how} cell={<DownloadCell download={video} now={now} />} />
      )
      return lines[index] ? [lines[index], card] : card
    })}
  </div>
)

/** A phone shows two cards before scrolling, a laptop fifteen. */
const leadOf = (place: number): boolean | 'last' => (place < first_row ? true : place < first_screen ? false : 'last')
const first_row = 5
const first_screen = 15

/** `leads`: its picture is loaded first. */
type How = { heading: Heading; leads: boolean | 'last'; size: Size; choose_for: string | undefined }
type CardProps = How & { video: ShownVideo; cell: Child }

const Card = ({ video, heading, leads, size, choose_for, cell }: CardProps) => (
  <article class="video">
    <Thumbnail
      video={video}
      is_awaited={video.is_awaited}
      size={size}
      leads={leads}
      watched_percent={video.watched_percent}
    />
    {choose_for && <Choose video_id={video.video_id} form={choose_for} />}
    <div class="about">
      <VideoTitle video={video} heading={heading} />
      <p class="quiet line">
        <LineFacts video={video} />
        {size === 'card' && (
          <>
            <ChannelLink video={video} /> ·{' '}
          </>
        )}
        <When video={video} />
      </p>
    </div>
    <div class="over">
      <Mark video_id={video.video_id} is_seen={video.is_seen} />
      <ListMarks video={video} />
    </div>
    {cell}
  </article>
)

const SettledCard = remembered(({ heading, leads, size, choose_for, ...video }: ShownVideo & How) => (
  <Card video={video} {...{ heading, leads, size, choose_for }} cell={<SettledCell download={video} />} />
))
