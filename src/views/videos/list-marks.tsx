/** The buttons that put a video on Watch later, or dismiss it as "Not for me"; pressed again, they take it back. */
import type { Child } from 'hono/jsx'
import type { Video } from '../../schema/videos/video.ts'
import type { MarkedList } from '../../schema/videos/viewing.ts'
import { cellId, titleId } from '../ui/cell-ids.ts'
import { Button } from '../ui/forms.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { listPath } from '../ui/paths.ts'
import { rendered } from '../ui/rendered.ts'

type Marked = { video_id: string; is_later: boolean; is_dismissed: boolean }

/** Both buttons: icons over the picture of a card, words on the page of a video. */
export const ListMarks = ({ video: { video_id, is_later, is_dismissed } }: { video: Marked }) => (
  <>
    <ListMark video_id={video_id} list="later" is_on={is_later} />
    <ListMark video_id={video_id} list="dismissed" is_on={is_dismissed} />
  </>
)

const ListMark = ({ video_id, list, is_on }: { video_id: string; list: MarkedList; is_on: boolean }) => {
  const path = listPath({ video_id }, list, !is_on)
  return (
    <form id={listMarkId(video_id, list)} class="list-mark" method="post" action={path} hx-post={path} hx-swap="none">
      <Button kind="quiet" aria-pressed={is_on ? 'true' : 'false'} aria-describedby={titleId(video_id)}>
        {faces[list][is_on ? 'on' : 'off']}
      </Button>
    </form>
  )
}

/** What a press does. */
export const listWords = (list: MarkedList, is_to_add: boolean): string => words[list][is_to_add ? 0 : 1]

const words: Record<MarkedList, [add: string, remove: string]> = {
  later: ['Watch later', 'Remove from Watch later'],
  dismissed: ['Not for me', 'Show again'],
}

const face = (icon: IconName, label: Child) =>
  rendered(
    <>
      <Icon name={icon} />
      <span class="say">{label}</span>
    </>,
  )
const later = face('clock', listWords('later', true))
const faces = {
  later: { on: later, off: later },
  dismissed: {
    on: face(
      'hide',
      <>
        <span class="spoken">{listWords('dismissed', true)}: </span>
        {listWords('dismissed', false)}
      </>,
    ),
    off: face('hide', listWords('dismissed', true)),
  },
}

/** Both buttons as they are now; on other pages they have no target, and htmx ignores them. A dismissed video leaves the list New. */
export const ListMarksPartials = ({ video }: { video: Pick<Video, 'video_id' | 'later_at' | 'dismissed_at'> }) => (
  <>
    <hx-partial hx-target={`#${listMarkId(video.video_id, 'later')}`} hx-swap="outerMorph">
      <ListMark video_id={video.video_id} list="later" is_on={video.later_at !== null} />
    </hx-partial>
    <hx-partial hx-target={`#${listMarkId(video.video_id, 'dismissed')}`} hx-swap="outerMorph">
      <ListMark video_id={video.video_id} list="dismissed" is_on={video.dismissed_at !== null} />
    </hx-partial>
    {video.dismissed_at !== null && (
      <hx-partial
        hx-target={`.news-head ~ #videos > .video:has(#${cellId(video.video_id)})`}
        hx-swap="delete"
      ></hx-partial>
    )}
  </>
)

const listMarkId = (video_id: string, list: MarkedList) => `${list}-${cellId(video_id)}`
