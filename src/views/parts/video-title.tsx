/** The title of a video as a heading that leads to its page. */
import type { ListedVideo } from '../../schema/video.ts'
import { titleId } from './cell-ids.ts'
import { watchPath } from './words.ts'

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
