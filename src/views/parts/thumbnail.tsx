/** The picture of a video with its length, 16:9, or else the initial of its channel. Hidden from screen readers: the title is next to it. */
import type { Video } from '../../schema/video.ts'
import { Badge, type KnownFacts } from './facts.tsx'
import { initialOf, webUrl } from './words.ts'

type Props = {
  video: Pick<Video, 'thumbnail_url' | 'channel_title'> & KnownFacts
  /** Loaded first; the other pictures load when they are near the window. */
  leads?: boolean
}

export const Thumbnail = ({ video, leads = false }: Props) => {
  const src = webUrl(video.thumbnail_url)
  return (
    <span class="thumbnail" aria-hidden="true">
      {initialOf(video.channel_title)}
      {src && (
        <img
          src={src}
          alt=""
          width="480"
          height="270"
          fetchpriority={leads ? 'high' : undefined}
          loading={leads ? undefined : 'lazy'}
          decoding="async"
          referrerpolicy="no-referrer"
        />
      )}
      <Badge facts={video} />
    </span>
  )
}
