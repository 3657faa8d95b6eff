/** The picture of a video, 16:9, or the initial of its channel where there is none. Decoration: the title says it all. */
import type { Video } from '../../schema/video.ts'
import { initialOf, webUrl } from './words.ts'

type Props = {
  video: Pick<Video, 'thumbnail_url' | 'channel_title'>
  /** What the page is about: fetched before the others, which wait until they are near. */
  leads?: boolean
}

export function Thumbnail({ video, leads = false }: Props) {
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
    </span>
  )
}
