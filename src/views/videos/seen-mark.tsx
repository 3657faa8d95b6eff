/**
 * Whether a video is watched, and the button that changes it: an icon over the picture of a card, words in a row and on the watch page.
 * The style sheet draws the dot of an unwatched video and the bar of a watched one on the picture next to this form.
 */
import type { Video } from '../../schema/videos/video.ts'
import { cellId, titleId } from '../ui/cell-ids.ts'
import { Button } from '../ui/forms.tsx'
import { Icon } from '../ui/icon.tsx'
import { rendered } from '../ui/rendered.ts'

/** The answer to the button is a `SeenMarkPartial`, which replaces this form by its id. */
export const SeenMark = ({ video: { video_id, seen_at } }: { video: Pick<Video, 'video_id' | 'seen_at'> }) => (
  <Mark video_id={video_id} is_seen={seen_at !== null} />
)

export const Mark = ({ video_id, is_seen }: { video_id: string; is_seen: boolean }) => {
  const path = `/videos/${encodeURIComponent(video_id)}/${is_seen ? 'unseen' : 'seen'}`
  return (
    <form
      id={markId(video_id)}
      class={`mark ${is_seen ? 'seen' : 'unseen'}`}
      method="post"
      action={path}
      hx-post={path}
      hx-swap="none"
    >
      <Button kind="quiet" aria-describedby={titleId(video_id)}>
        {is_seen ? watched : unwatched}
      </Button>
    </form>
  )
}

const watched = rendered(
  <>
    <Icon name="eye" />
    <span class="say">
      Watched<span class="spoken">: mark as unwatched</span>
    </span>
  </>,
)

const unwatched = rendered(
  <>
    <Icon name="eye" />
    <span class="say">Mark as watched</span>
  </>,
)

export const SeenMarkPartial = ({ video }: { video: Pick<Video, 'video_id' | 'seen_at'> }) => (
  <hx-partial hx-target={`#${markId(video.video_id)}`} hx-swap="outerMorph">
    <SeenMark video={video} />
  </hx-partial>
)

const markId = (video_id: string) => `seen-${cellId(video_id)}`
