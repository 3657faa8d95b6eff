/** A video as a card: its picture, title, channel, age and download cell. */
import type { ListedVideo } from '../../schema/video.ts'
import { DownloadCell } from './download-cell.tsx'
import { SeenMark } from './seen-mark.tsx'
import { Thumbnail } from './thumbnail.tsx'
import { Ago } from './times.tsx'
import { VideoTitle } from './video-title.tsx'
import { channelPath } from './words.ts'

/** `heading`: one level below the heading above the card. `leads`: its picture is loaded first. */
type CardProps = { video: ListedVideo; now: Date; heading?: 'h2' | 'h3' | undefined; leads?: boolean }

export const VideoCard = ({ video, now, heading = 'h2', leads = false }: CardProps) => (
  <article class="video">
    <Thumbnail video={video} leads={leads} />
    <div class="about">
      <div class="named">
        <VideoTitle video={video} heading={heading} />
        <p class="quiet line">
          <a href={channelPath(video)}>{video.channel_title}</a> · <When video={video} now={now} />
        </p>
      </div>
      <DownloadCell download={video} now={now} />
    </div>
    <SeenMark video={video} />
  </article>
)

/** `leads`: the grid is at the top of its page. */
type GridProps = { videos: ListedVideo[]; now: Date; heading?: 'h2' | 'h3'; id?: string | undefined; leads?: boolean }

export const VideoGrid = ({ videos, now, heading, id, leads = false }: GridProps) => (
  <div class="grid" id={id}>
    {videos.map((video, index) => (
      <VideoCard video={video} now={now} heading={heading} leads={leads && index < first_in_sight} />
    ))}
  </div>
)

/** A phone shows one or two cards before scrolling; the pictures of the others load lazily. */
const first_in_sight = 2

/** When it was published, or else when Backlot first saw it. */
export const When = ({ video: { published_at, first_seen_at }, now }: { video: ListedVideo; now: Date }) => (
  <>
    {published_at ? '' : 'added '}
    <Ago at={published_at ?? first_seen_at} now={now} />
  </>
)
