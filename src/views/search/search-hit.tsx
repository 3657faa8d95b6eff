/** One video among the results of a search, with what was found in it and where it is said. */
import type { SearchHit } from '../../schema/search/search.ts'
import { awaitsPicture } from '../../schema/values/picture.ts'
import { DownloadCell } from '../downloads/download-cell.tsx'
import { titleId } from '../ui/cell-ids.ts'
import { LineFacts } from '../ui/facts.tsx'
import { watchPath } from '../ui/paths.ts'
import { shownOf, watchedPercent } from '../ui/shown-video.ts'
import { Thumbnail } from '../ui/thumbnail.tsx'
import { When } from '../ui/times.tsx'
import { ChannelLink } from '../ui/video-title.tsx'
import { durationWords } from '../ui/words.ts'
import { MarkedText } from './marked.tsx'

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
