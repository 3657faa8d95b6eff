/** One video among the results of a search, with what was found in it and where it is said. */
import { awaitsPicture } from '../../schema/picture.ts'
import type { SearchHit } from '../../schema/search.ts'
import { titleId } from './cell-ids.ts'
import { DownloadCell } from './download-cell.tsx'
import { LineFacts } from './facts.tsx'
import { MarkedText } from './marked.tsx'
import { watchPath } from './paths.ts'
import { shownOf, watchedPercent } from './shown-video.ts'
import { Thumbnail } from './thumbnail.tsx'
import { When } from './times.tsx'
import { ChannelLink } from './video-title.tsx'
import { durationWords } from './words.ts'

export const FoundHit = ({ video, now }: { video: SearchHit; now: Date }) => (
  <li class="row">
    <Thumbnail
      video={video}
      is_awaited={awaitsPicture(video)}
      watched_percent={watchedPercent(video)}
      is_seen={video.seen_at !== null}
    />
    <div class="about">
      <h3 class="title" id={titleId(video.video_id)}>
        <a href={watchPath(video)}>
          {video.highlights.title ? <MarkedText pieces={video.highlights.title} /> : video.title}
        </a>
      </h3>
      <p class="quiet line">
        <LineFacts video={video} />
        <ChannelLink video={video} /> · <When video={shownOf(video, now)} />
      </p>
      {video.highlights.description && (
        <p class="quiet fragment">
          <MarkedText pieces={video.highlights.description} />
        </p>
      )}
      <Moments video={video} />
    </div>
    <DownloadCell download={video} now={now} />
  </li>
)

/** Where the words are said. Each place leads to the video, which starts there. */
const Moments = ({ video }: { video: SearchHit }) =>
  video.moments.length === 0 ? null : (
    <ul class="moments" aria-label="Where it is said">
      {video.moments.map(({ start_seconds, highlighted }) => (
        <li>
          <a class="moment" href={`${watchPath(video)}?t=${start_seconds}`}>
            <span class="at">at {durationWords(start_seconds)}</span>
            <span class="line-text" dir="auto">
              <MarkedText pieces={highlighted} />
            </span>
          </a>
        </li>
      ))}
    </ul>
  )
