/** The title of a video as a heading that leads to its page. */
import type { ListedVideo } from '../../schema/video.ts'
import { titleId } from './cell-ids.ts'
import { remembered } from './remembered.ts'
import { watchPath } from './words.ts'

export const VideoTitle = ({
  video: { video_id, title },
  heading,
}: {
  video: Pick<ListedVideo, 'video_id' | 'title'>
  heading: 'h2' | 'h3'
}) => <Title video_id={video_id} title={title} heading={heading} />

type TitleProps = { video_id: string; title: string; heading: 'h2' | 'h3' }

const Title = remembered(({ video_id, title, heading: Heading }: TitleProps) => (
  <Heading class="title" id={titleId(video_id)}>
    <a href={watchPath({ video_id })} dir="auto">
      {title}
    </a>
  </Heading>
))
