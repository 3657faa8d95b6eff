/** Whether a video is seen, and the button that says so or takes it back: the same on a card and on the watch page. */
import type { Video } from '../../schema/video.ts'
import { cellId, titleId } from './cell-ids.ts'
import { Button } from './forms.tsx'

/** Answered as parts of a page: the mark takes the place of the former, wherever it stands. */
export const SeenMark = ({ video: { video_id, seen_at } }: { video: Pick<Video, 'video_id' | 'seen_at'> }) => {
  const path = `/videos/${encodeURIComponent(video_id)}/${seen_at ? 'unseen' : 'seen'}`
  return (
    <form
      id={markId(video_id)}
      class={`mark ${seen_at ? 'seen' : 'unseen'}`}
      method="post"
      action={path}
      hx-post={path}
      hx-swap="none"
    >
      <Button aria-describedby={titleId(video_id)}>
        <span class="tick" aria-hidden="true">
          {seen_at ? '✓' : '○'}
        </span>
        {seen_at ? (
          <span>
            Seen<span class="spoken">: mark as not seen</span>
          </span>
        ) : (
          <span class="say">Mark as seen</span>
        )}
      </Button>
    </form>
  )
}

export const SeenMarkPartial = ({ video }: { video: Pick<Video, 'video_id' | 'seen_at'> }) => (
  <hx-partial hx-target={`#${markId(video.video_id)}`} hx-swap="outerMorph">
    <SeenMark video={video} />
  </hx-partial>
)

const markId = (video_id: string) => `seen-${cellId(video_id)}`
