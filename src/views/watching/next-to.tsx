/** The videos next to one in its channel, at the side of its page: newer ones, the video itself as a mark, older ones. */
import type { Neighbours, Video } from '../../schema/videos/video.ts'
import { VideoGrid } from '../videos/video-card.tsx'

type Props = { video: Pick<Video, 'title' | 'channel_title'>; neighbours: Neighbours; now: Date }

export const NextTo = ({ video, neighbours: { newer, older }, now }: Props) =>
  newer.length + older.length > 0 ? (
    <aside class="more" aria-labelledby="more">
      <h2 id="more">
        More from <bdi>{video.channel_title}</bdi>
      </h2>
      {newer.length > 0 && (
        <>
          <VideoGrid videos={newer.toReversed()} now={now} heading="h3" small />
          <p class="here">
            <span class="quiet">This video</span> <bdi>{video.title}</bdi>
          </p>
        </>
      )}
      {older.length > 0 && <VideoGrid videos={older} now={now} heading="h3" small />}
    </aside>
  ) : null
