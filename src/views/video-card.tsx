/** A video as a card: its picture, its title, one quiet line, and where its download stands. */
import type { Video } from '../schema/video.ts'
import { DownloadCell, titleId } from './download-cell.tsx'
import { Thumbnail } from './thumbnail.tsx'
import { channelPath, dateWords, relativeWords, watchPath } from './words.ts'

export const VideoCard = ({ video, now }: { video: Video; now: Date }) => (
  <article class="video">
    <Thumbnail video={video} />
    <div class="about">
      <h2 class="title" id={titleId(video.video_id)}>
        <a href={watchPath(video)}>{video.title}</a>
      </h2>
      <p class="quiet line">
        <a href={channelPath(video)}>{video.channel_title}</a> · <When video={video} now={now} />
      </p>
      <DownloadCell download={video} now={now} />
    </div>
  </article>
)

export const VideoGrid = ({ videos, now, id }: { videos: Video[]; now: Date; id?: string }) => (
  <div class="grid" {...(id ? { id } : {})}>
    {videos.map(video => (
      <VideoCard video={video} now={now} />
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
