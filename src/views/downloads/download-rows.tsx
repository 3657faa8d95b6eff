/** The rows of a shelf of the downloads page. Equal failures of several videos of a site are one row, with a fold for the videos. */

import { webUrl } from '../../schema/http/paths.ts'
import { siteWords } from '../../schema/values/address.ts'
import { countWords } from '../../schema/values/words.ts'
import type { Video } from '../../schema/videos/video.ts'
import { AboutVideo } from '../parts/about-video.tsx'
import { Thumbnail } from '../parts/thumbnails.tsx'
import { rowId } from '../ui/element-ids.ts'
import { Rows } from '../ui/lists.tsx'
import { Ago } from '../ui/times.tsx'
import { ChooseDownload } from './download-buttons.tsx'
import { DownloadCell } from './download-cell.tsx'

type RowsProps = {
  videos: Video[]
  now: Date
  /** The id of the form that the checkboxes belong to; absent: there are none. */
  choose_for?: string
}

export const DownloadRows = ({ videos, ...row }: RowsProps) => (
  <Rows of={videos} row={video => <DownloadRow video={video} {...row} />} />
)

export const FailedRows = ({ videos, now }: RowsProps) => (
  <Rows
    of={alike(videos)}
    row={([first, ...others]) =>
      others.length === 0 ? (
        <DownloadRow video={first} now={now} />
      ) : (
        <li class="alike">
          <details>
            <summary>
              {countWords(others.length + 1, 'video')} of <bdi>{siteOf(first)}</bdi>: {first.download_error}
            </summary>
            <DownloadRows videos={[first, ...others]} now={now} />
          </details>
        </li>
      )
    }
  />
)

type Alike = [Video, ...Video[]]

/** Groups videos of one site that failed for the same reason. A group takes the place of its first video. */
function alike(videos: Video[]): Alike[] {
  const groups = Map.groupBy(videos, video => `${siteOf(video)} ${video.download_error ?? video.video_id}`)
  return [...groups.values()] as Alike[]
}

function siteOf({ video_url }: Video): string {
  const url = webUrl(video_url)
  return url ? siteWords(url) : ''
}

type RowProps = { video: Video; now: Date; choose_for?: string }

const DownloadRow = ({ video, now, choose_for }: RowProps) => (
  <li class="row" id={rowId(video.video_id)}>
    {choose_for && <ChooseDownload video={video} form={choose_for} whole />}
    <Thumbnail video={video} with_progress is_seen={video.seen_at !== null} />
    <AboutVideo video={video} heading="h3">
      <span class="name">
        <bdi>{video.channel_title}</bdi>
      </span>
      <Ago words=" · " at={video.download_completed_at} now={now} />
    </AboutVideo>
    <DownloadCell download={video} now={now} />
  </li>
)
