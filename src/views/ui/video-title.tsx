/** The title of a video as a heading that leads to its page, and the name of its channel as a link. */
import type { ListedVideo } from '../../schema/videos/video.ts'
import { titleId } from './cell-ids.ts'
import { channelPath, watchPath } from './paths.ts'

export const VideoTitle = ({
  video: { video_id, title },
  heading: Heading,
}: {
  video: Pick<ListedVideo, 'video_id' | 'title'>
  heading: 'h2' | 'h3'
}) => (
  <Heading class="title" id={titleId(video_id)}>
    <a href={watchPath({ video_id })} dir="auto">
      {title}
    </a>
  </Heading>
)

/** Isolated, because a name from right to left would reorder the words around it. */
export const ChannelLink = ({ video }: { video: Pick<ListedVideo, 'channel_id' | 'channel_title'> }) => (
  <a class="channel" href={channelPath(video)}>
    <bdi>{video.channel_title}</bdi>
  </a>
)
