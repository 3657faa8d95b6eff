/** The videos that a search found, each with what was found in it and where it is said. */

import { playPath } from '../../schema/http/paths.ts'
import type { Highlighted, Moment, SearchHit } from '../../schema/search/search.ts'
import { durationWords } from '../../schema/values/words.ts'
import { DownloadCell } from '../downloads/download-cell.tsx'
import { LineFacts } from '../parts/about-video.tsx'
import { Thumbnail } from '../parts/thumbnails.tsx'
import { titleId } from '../ui/element-ids.ts'
import { PublishedAgo } from '../ui/times.tsx'

/** The name of the channel is no link: a result asks for one thing. */
export const Hit = ({ video, now }: { video: SearchHit; now: Date }) => (
  <li class="row">
    <Thumbnail video={video} with_progress is_seen={video.seen_at !== null} />
    <div class="about">
      <h3 class="title" id={titleId(video.video_id)}>
        <a href={playPath(video)} dir="auto">
          {video.highlights.title ? <MarkedText pieces={video.highlights.title} /> : video.title}
        </a>
      </h3>
      <p class="quiet line">
        <LineFacts video={video} />
        <bdi>{video.channel_title}</bdi> · <PublishedAgo video={video} now={now} />
      </p>
      {video.highlights.description && saysMore(video, video.highlights.description) && (
        <p class="quiet fragment" dir="auto">
          <MarkedText pieces={video.highlights.description} />
        </p>
      )}
      <Moments video={video} />
    </div>
    <DownloadCell download={video} now={now} />
  </li>
)

/** Whether the part of the description that was found is neither the title again nor a list of chapters. */
function saysMore({ title }: SearchHit, pieces: Highlighted): boolean {
  const text = plain(pieces.map(({ text }) => text).join(''))
  const is_list_of_chapters = (text.match(/\b\d{1,2}:\d\d\b/g) ?? []).length > 1
  return !is_list_of_chapters && !plain(title).includes(text) && !text.startsWith(plain(title))
}

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[\s….]+/g, ' ')
    .trim()

const moments_shown = 2

/** Where the words are said. Each place leads to the video, which starts there. */
const Moments = ({ video }: { video: SearchHit }) => {
  const { moments } = video
  if (moments.length === 0) return null
  const others = moments.slice(moments_shown)
  return (
    <>
      <MomentList video={video} moments={moments.slice(0, moments_shown)} />
      {others.length > 0 && (
        <details class="more-moments">
          <summary>
            {others.length} more<span class="spoken"> places where it is said</span>
          </summary>
          <MomentList video={video} moments={others} />
        </details>
      )}
    </>
  )
}

const MomentList = ({ video, moments }: { video: SearchHit; moments: Moment[] }) => (
  <ul class="moments" aria-label="Where it is said">
    {moments.map(({ start_seconds, highlighted }) => (
      <li>
        <a class="moment" href={playPath(video, { t: start_seconds })}>
          <span class="at">at {durationWords(start_seconds)}</span>
          <span class="line-text" dir="auto">
            <MarkedText pieces={highlighted} />
          </span>
        </a>
      </li>
    ))}
  </ul>
)

/** A text with the words of the search highlighted. Its pieces are escaped as text. */
const MarkedText = ({ pieces }: { pieces: Highlighted }) => (
  <>{pieces.map(({ text, match }) => (match ? <mark>{text}</mark> : text))}</>
)
