/** The title of a video as a heading that leads to its page. */
import type { ListedVideo } from '../../schema/video.ts'
import { titleId } from './cell-ids.ts'
import { watchPath } from './words.ts'

export const VideoTitle = ({ video, heading: Heading }: { video: ListedVideo; heading: 'h2' | 'h3' }) => (
  <Heading class="title" id={titleId(video.video_id)}>
    <a href={watchPath(video)} dir="auto">
      {video.title}
    </a>
  </Heading>
)
