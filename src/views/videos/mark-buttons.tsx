/**
 * What a person has marked: a video as watched, for Watch later, or as hidden. The page of a video has a button for each mark. A card or a
 * row has them in its menu, and shows a watched video by its picture.
 */

import { listPath, videoPath } from '../../schema/http/paths.ts'
import type { Video } from '../../schema/videos/video.ts'
import type { MarkedList } from '../../schema/watching/viewing.ts'
import { HideItem, hideItemId } from '../downloads/file-actions.tsx'
import { cellId, titleId } from '../ui/element-ids.ts'
import { Post } from '../ui/forms.tsx'
import { Icon } from '../ui/icon.tsx'

type WatchedVideo = Pick<Video, 'video_id' | 'seen_at'>

/** The answer to the button is `MarksPartials`, which replace this form by its id. */
export const WatchedMark = ({ video: { video_id, seen_at } }: { video: WatchedVideo }) => {
  const path = `${videoPath(video_id)}/${seen_at ? 'unseen' : 'seen'}`
  return (
    <Post
      id={watchedMarkId(video_id)}
      form_class={`mark ${seen_at ? 'seen' : 'unseen'}`}
      action={path}
      in_page
      kind="quiet"
      aria-describedby={titleId(video_id)}
    >
      <Icon name="eye" />
      {seen_at ? (
        <span class="say tip">
          Watched<span class="spoken">: mark as unwatched</span>
        </span>
      ) : (
        <span class="say tip">Mark as watched</span>
      )}
    </Post>
  )
}

const watchedMarkId = (video_id: string) => `seen-${cellId(video_id)}`

type MarkedVideo = Pick<Video, 'video_id' | 'later_at' | 'dismissed_at'>

/** The button that puts a video on Watch later. Pressed again, it takes the video off the list. */
export const LaterMark = ({ video: { video_id, later_at } }: { video: MarkedVideo }) => {
  const is_on = later_at !== null
  return (
    <Post
      id={laterMarkId(video_id)}
      action={listPath({ video_id }, 'later', !is_on)}
      in_page
      kind="quiet"
      aria-pressed={is_on ? 'true' : 'false'}
      aria-describedby={titleId(video_id)}
    >
      <Icon name="clock" />
      <span class="say tip">{listWords('later', true)}</span>
    </Post>
  )
}

/** What a press on the button does. */
export const listWords = (list: MarkedList, is_to_add: boolean): string => labels[list][is_to_add ? 0 : 1]

const labels: Record<MarkedList, [add: string, remove: string]> = {
  later: ['Watch later', 'Remove from Watch later'],
  dismissed: ['Hide', 'Show again'],
}

type MarksProps = { video: WatchedVideo & MarkedVideo }

/** The marks of a card or a row: for the style sheet, the keys of the list (`page/list-keys.js`) and screen readers. */
export const Marks = ({ video: { video_id, seen_at, later_at, dismissed_at } }: MarksProps) => {
  const marks = [seen_at && 'seen', later_at && 'later', dismissed_at && 'dismissed'].filter(Boolean)
  return (
    <span id={marksId(video_id)} class={['marked', ...marks].join(' ')} data-video={video_id}>
      {seen_at && <span class="spoken">Watched</span>}
    </span>
  )
}

/**
 * All marks as they are now. On a page without one of them its partial has no target, and htmx ignores it. A hidden video leaves New, and
 * one that is shown again the list of hidden videos.
 */
export const MarksPartials = ({ video }: MarksProps) => (
  <>
    <hx-partial hx-target={`#${marksId(video.video_id)}`} hx-swap="outerMorph">
      <Marks video={video} />
    </hx-partial>
    <hx-partial hx-target={`#${watchedMarkId(video.video_id)}`} hx-swap="outerMorph">
      <WatchedMark video={video} />
    </hx-partial>
    <hx-partial hx-target={`#${laterMarkId(video.video_id)}`} hx-swap="outerMorph">
      <LaterMark video={video} />
    </hx-partial>
    <hx-partial hx-target={`#${hideItemId(video.video_id)}`} hx-swap="outerMorph">
      <HideItem video={video} />
    </hx-partial>
    <hx-partial
      hx-target={`main${video.dismissed_at ? listed : hidden_list} > #videos > .video:has(#${cellId(video.video_id)})`}
      hx-swap="delete"
    ></hx-partial>
  </>
)

const hidden_list = '[data-list=""]'
const listed = `[data-list]:not(${hidden_list})`

const marksId = (video_id: string) => `marks-${cellId(video_id)}`
const laterMarkId = (video_id: string) => `later-${cellId(video_id)}`
