/** Videos as cards in a grid, and as rows. Both show the state of the download; the menu has what can be done with the video. */
import type { Child } from 'hono/jsx'
import type { JSX } from 'hono/jsx/jsx-runtime'
import { awaitsPicture, type Pictured } from '../../schema/values/picture.ts'
import type { ListedVideo } from '../../schema/videos/video.ts'
import { DownloadCell } from '../downloads/download-cell.tsx'
import { isSettled, SettledCell } from '../downloads/settled-cell.tsx'
import { remembered } from '../frames/remembered.ts'
import { AboutVideo, ChannelLink } from '../parts/about-video.tsx'
import { Thumbnail } from '../parts/thumbnails.tsx'
import { agoWords, PublishedAgo } from '../ui/times.tsx'
import { Choose } from './choosing.tsx'
import { Marks } from './mark-buttons.tsx'

export type GridProps = {
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
      const how = { heading, leads: leadOf(above + index), of_channel, choose_for } as const
      const card = <Card video={video} now={now} {...how} />
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
  ...(['download_status', 'file_size', 'file', 'pinned'] as const),
]
type ShownVideo = Pick<ListedVideo, (typeof shown)[number]> & Pictured

/** `children`: the state of the download. */
type Shown = { video: ShownVideo; now: Date; children?: Child }

/** A card or row with the state of its download. That of a settled download does not depend on the time, so its card is remembered. */
function withDownload<How>(Part: (props: How & Shown) => JSX.Element) {
  const Settled = remembered(
    (props: How & Shown) => (
      <Part {...props}>
        <SettledCell download={props.video} />
      </Part>
    ),
    // A list of values is a shorter key than an object with their names.
    ({ video, now, ...how }) => [shown.map(field => video[field]), awaitsPicture(video), agoWords(video, now), how],
  )
  return (props: How & { video: ListedVideo; now: Date }) =>
    isSettled(props.video) ? (
      <Settled {...props} />
    ) : (
      <Part {...props}>
        <DownloadCell download={props.video} now={props.now} />
      </Part>
    )
}

type CardProps = {
  heading: Heading
  /** Its picture is loaded first. */
  leads: boolean | 'last'
  of_channel: boolean
  choose_for: string | undefined
}

const Card = withDownload<CardProps>(({ video, now, heading, leads, of_channel, choose_for, children }) => (
  <article class="video">
    <Thumbnail video={video} size="card" leads={leads} with_progress />
    {choose_for && <Choose video_id={video.video_id} form={choose_for} />}
    <AboutVideo video={video} heading={heading}>
      {!of_channel && (
        <>
          <ChannelLink video={video} /> ·{' '}
        </>
      )}
      <PublishedAgo video={video} now={now} />
    </AboutVideo>
    <Marks video={video} />
    {children}
  </article>
))

export const VideoRows = ({ videos, now, choose_for, id }: Pick<GridProps, 'videos' | 'now' | 'choose_for' | 'id'>) => (
  <ul class="rows of-videos" id={id}>
    {videos.map(video => (
      <Row video={video} now={now} choose_for={choose_for} />
    ))}
  </ul>
)

const Row = withDownload<Pick<CardProps, 'choose_for'>>(({ video, now, choose_for, children }) => (
  <li class="row">
    {choose_for && <Choose video_id={video.video_id} form={choose_for} />}
    <Thumbnail video={video} with_progress />
    <AboutVideo video={video} heading="h2">
      <PublishedAgo video={video} now={now} />
    </AboutVideo>
    <Marks video={video} />
    {children}
  </li>
))
