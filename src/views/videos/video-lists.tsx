/** Videos as cards in a grid, and as rows. Both show the state of the download; the menu has what can be done with the video. */
import type { Child } from 'hono/jsx'
import { awaitsPicture } from '../../schema/values/picture.ts'
import type { ListedVideo } from '../../schema/videos/video.ts'
import { DownloadCell } from '../downloads/download-cell.tsx'
import { isSettled, SettledCell } from '../downloads/settled-cell.tsx'
import { ChannelLink, LineFacts, VideoTitle } from '../ui/about-video.tsx'
import { Thumbnail, watchedPercent } from '../ui/pictures.tsx'
import { remembered } from '../ui/remembered.ts'
import { agoWords, PublishedAgo } from '../ui/times.tsx'
import { Choose } from './choosing.tsx'
import { Marks } from './marks.tsx'

type GridProps = {
  videos: ListedVideo[]
  now: Date
  /** One level below the heading above the cards. */
  heading?: Heading
  id?: string | undefined
  /** How many cards are above the grid. Not given: the grid is further down its page. */
  above?: number
  /** All videos are of the channel that the page is about, so no card names it. */
  of_channel?: boolean
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
  of_channel = false,
  lines = [],
  choose_for,
}: GridProps) => (
  <div class="grid" id={id}>
    {videos.map((video, index) => {
      const how = {
        heading,
        leads: leadOf(above + index),
        of_channel,
        choose_for,
        is_awaited: awaitsPicture(video),
      } as const
      const card = isSettled(video) ? (
        <SettledCard video={video} now={now} {...how} />
      ) : (
        <Card video={video} now={now} {...how}>
          <DownloadCell download={video} now={now} />
        </Card>
      )
      return lines[index] ? [lines[index], card] : card
    })}
  </div>
)

/** A phone shows two cards before scrolling, a laptop twelve. */
const leadOf = (place: number): boolean | 'last' =>
  place < cards_in_first_row ? true : place < cards_on_first_screen ? false : 'last'
const cards_in_first_row = 4
const cards_on_first_screen = 12

/** All that cards and rows show of a video, beside a download that is not settled. */
const shown = [
  ...(['video_id', 'title', 'channel_id', 'channel_title', 'picture_url'] as const),
  ...(['duration_seconds', 'live_status', 'availability', 'position_seconds'] as const),
  ...(['published_at', 'published_precision', 'first_seen_at'] as const),
  ...(['seen_at', 'later_at', 'dismissed_at'] as const),
  ...(['download_status', 'file_size', 'pinned'] as const),
]
type ShownVideo = Pick<ListedVideo, (typeof shown)[number]>

/** The state of a settled download does not depend on the time. A list of values is a shorter key than an object with their names. */
const keyOf = ({ video, now, ...how }: { video: ShownVideo; now: Date }) => [
  shown.map(field => video[field]),
  agoWords(video, now),
  how,
]

type CardProps = {
  video: ShownVideo
  now: Date
  heading: Heading
  /** Its picture is loaded first. */
  leads: boolean | 'last'
  of_channel: boolean
  choose_for: string | undefined
  /** Its picture is not stored yet. */
  is_awaited: boolean
}

/** `children`: the state of the download. */
const Card = ({
  video,
  now,
  heading,
  leads,
  of_channel,
  choose_for,
  is_awaited,
  children,
}: CardProps & { children?: Child }) => (
  <article class="video">
    <Thumbnail
      video={video}
      is_awaited={is_awaited}
      size="card"
      leads={leads}
      watched_percent={watchedPercent(video)}
    />
    {choose_for && <Choose video_id={video.video_id} form={choose_for} />}
    <div class="about">
      <VideoTitle video={video} heading={heading} />
      <p class="quiet line">
        <LineFacts video={video} />
        {!of_channel && (
          <>
            <ChannelLink video={video} /> ·{' '}
          </>
        )}
        <PublishedAgo video={video} now={now} />
      </p>
    </div>
    <Marks video={video} />
    {children}
  </article>
)

const SettledCard = remembered(
  (props: CardProps) => (
    <Card {...props}>
      <SettledCell download={props.video} />
    </Card>
  ),
  keyOf,
)

type RowsProps = {
  videos: ListedVideo[]
  now: Date
  /** The id of the form that the checkboxes belong to; absent: there are none. */
  choose_for?: string | undefined
  id?: string
}

export const VideoRows = ({ videos, now, choose_for, id }: RowsProps) => (
  <ul class="rows of-videos" id={id}>
    {videos.map(video => {
      const how = { choose_for, is_awaited: awaitsPicture(video) }
      return isSettled(video) ? (
        <SettledRow video={video} now={now} {...how} />
      ) : (
        <Row video={video} now={now} {...how}>
          <DownloadCell download={video} now={now} />
        </Row>
      )
    })}
  </ul>
)

type RowProps = Pick<CardProps, 'video' | 'now' | 'choose_for' | 'is_awaited'>

const Row = ({ video, now, choose_for, is_awaited, children }: RowProps & { children?: Child }) => (
  <li class="row">
    {choose_for && <Choose video_id={video.video_id} form={choose_for} />}
    <Thumbnail video={video} is_awaited={is_awaited} watched_percent={watchedPercent(video)} />
    <div class="about">
      <VideoTitle video={video} heading="h2" />
      <p class="quiet line">
        <LineFacts video={video} />
        <PublishedAgo video={video} now={now} />
      </p>
    </div>
    <Marks video={video} />
    {children}
  </li>
)

const SettledRow = remembered(
  (props: RowProps) => (
    <Row {...props}>
      <SettledCell download={props.video} />
    </Row>
  ),
  keyOf,
)
