/**
 * "Continue watching": the videos that a person started and did not finish.
 *
 * It lists only videos with a file; the watch page of any other still shows the position.
 */

import { playPath, videoPath } from '../../schema/http/paths.ts'
import { durationWords } from '../../schema/values/words.ts'
import type { Video } from '../../schema/videos/video.ts'
import { Thumbnail } from '../parts/thumbnails.tsx'
import { cellId } from '../ui/element-ids.ts'
import { Post } from '../ui/forms.tsx'
import { Icon } from '../ui/icon.tsx'

export const Unfinished = ({ videos }: { videos: Video[] }) =>
  videos.length === 0 ? null : (
    <section class="unfinished" data-list="continue" aria-labelledby="unfinished">
      <h2 id="unfinished">Continue watching</h2>
      <ul>
        {videos.map(video => (
          <Started video={video} />
        ))}
      </ul>
    </section>
  )

/** A card on the page may show this video too, so this element has ids of its own. */
const Started = ({ video }: { video: Video }) => {
  const { video_id, title } = video
  return (
    <li class="begun" id={begunId(video_id)}>
      <Thumbnail video={video} with_progress />
      <div class="about">
        <h3 class="title" id={`${begunId(video_id)}-title`}>
          <a href={playPath(video)} dir="auto">
            {title}
          </a>
        </h3>
        <p class="quiet">{leftWords(video)}</p>
      </div>
      <Post
        action={`${videoPath(video_id)}/dismiss`}
        form_class="dismiss"
        in_page
        kind="quiet"
        aria-label="Dismiss"
        aria-describedby={`${begunId(video_id)}-title`}
      >
        <Icon name="close" />
      </Post>
    </li>
  )
}

/** "12:40 left", or the position when the duration is not known. */
const leftWords = ({ position_seconds, duration_seconds }: Pick<Video, 'position_seconds' | 'duration_seconds'>) =>
  duration_seconds === null
    ? `Stopped at ${durationWords(position_seconds ?? 0)}`
    : `${durationWords(duration_seconds - (position_seconds ?? 0))} left`

export const DismissedPartials = ({ video }: { video: Video }) => (
  <hx-partial hx-target={`#${begunId(video.video_id)}`} hx-swap="delete"></hx-partial>
)

const begunId = (video_id: string) => `begun-${cellId(video_id)}`
