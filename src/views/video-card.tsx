/** A video as a card: its picture, its title, one quiet line, and where its download stands. */
import type { Video } from '../schema/video.ts'
import { DownloadCell, titleId } from './download-cell.tsx'
import { SeenMark } from './seen-mark.tsx'
import { Thumbnail } from './thumbnail.tsx'
import { channelPath, dateWords, relativeWords, watchPath } from './words.ts'

/** `heading`: one below the heading that the card stands under. */
type CardProps = { video: Video; now: Date; heading?: 'h2' | 'h3' | undefined }

export const VideoCard = ({ video, now, heading: Heading = 'h2' }: CardProps) => (
  <article class="video">
    <Thumbnail video={video} />
    <div class="about">
      <Heading class="title" id={titleId(video.video_id)}>
        <a href={watchPath(video)} dir="auto">
          {video.title}
        </a>
      </Heading>
      <p class="quiet line">
        <a href={channelPath(video)}>{video.channel_title}</a> · <When video={video} now={now} />
      </p>
      <DownloadCell download={video} now={now} />
    </div>
    <SeenMark video={video} />
  </article>
)

type GridProps = { videos: Video[]; now: Date; heading?: 'h2' | 'h3'; id?: string }

export const VideoGrid = ({ videos, now, heading, id }: GridProps) => (
  <div class="grid" {...(id ? { id } : {})}>
    {videos.map(video => (
      <VideoCard video={video} now={now} heading={heading} />
    ))}
  </div>
)

/** When it came out, or else when it was first seen. */
export const When = ({ video, now }: { video: Video; now: Date }) => {
  const date = video.published_at ?? video.first_seen_at
  return (
    <time datetime={date.toISOString()} title={dateWords(date)}>
      {video.published_at ? '' : 'seen '}
      {relativeWords(date, now)}
    </time>
  )
}
