/** Files on disk as short rows: the picture, the title, the size. A video may be in two such lists of a page, so a row has no ids. */
import { awaitsPicture } from '../../schema/values/picture.ts'
import type { ListedVideo } from '../../schema/videos/video.ts'
import { watchPath } from '../ui/paths.ts'
import { Thumbnail } from '../ui/thumbnail.tsx'
import { Ago } from '../ui/times.tsx'
import { ChannelLink } from '../ui/video-title.tsx'
import { bytesWords } from '../ui/words.ts'

type Props = {
  videos: ListedVideo[]
  now: Date
  /** The id of the form that the checkboxes belong to; absent: there are none. */
  choose_for?: string
}

export const FileRows = ({ videos, now, choose_for }: Props) =>
  videos.length === 0 ? null : (
    <ul class="rows files">
      {videos.map(video => (
        <li class="row">
          {choose_for && (
            <label class="choose">
              <span class="spoken">Select {video.title}</span>
              <input
                type="checkbox"
                name="video_id"
                value={video.video_id}
                form={choose_for}
                data-bytes={video.file_size ?? undefined}
              />
            </label>
          )}
          <Thumbnail video={video} is_awaited={awaitsPicture(video)} is_seen={video.seen_at !== null} />
          <div class="about">
            <h3 class="title">
              <a href={watchPath(video)} dir="auto">
                {video.title}
              </a>
            </h3>
            <p class="quiet line">
              <ChannelLink video={video} />
              {video.seen_at && (
                <>
                  {' '}
                  · watched <Ago at={video.seen_at} now={now} />
                </>
              )}
              {video.pinned && ' · kept forever'}
            </p>
          </div>
          <p class="quiet amount">{bytesWords(video.file_size ?? 0)}</p>
        </li>
      ))}
    </ul>
  )
