/** The page of one video: the player or its picture, its facts and actions, and the videos next to it in its channel. */
import type { FileOutlook } from '../../schema/bin/bin.ts'
import type { Channel } from '../../schema/channels/channel.ts'
import type { Chapter } from '../../schema/sources/facts.ts'
import type { Category } from '../../schema/sources/segment.ts'
import type { TranscriptAbout } from '../../schema/sources/subtitles.ts'
import { awaitsPicture } from '../../schema/values/picture.ts'
import type { Neighbours, PlaceInList, Video } from '../../schema/videos/video.ts'
import { DownloadCell } from '../downloads/download-cell.tsx'
import { FileActions } from '../downloads/file-actions.tsx'
import { movingIds, Polling } from '../downloads/polling.tsx'
import { Notes, Spoken } from '../ui/about-video.tsx'
import type { PageContext } from '../ui/context.ts'
import { cellId, titleId } from '../ui/element-ids.ts'
import { Layout } from '../ui/layout.tsx'
import { channelPath } from '../ui/paths.ts'
import { Avatar } from '../ui/pictures.tsx'
import { PublishedInFull } from '../ui/times.tsx'
import { ListMarks, WatchedMark } from '../videos/marks.tsx'
import { Chapters, Description } from './description.tsx'
import { Beside, NextTo, UpNext } from './neighbours.tsx'
import { player_script, Stage, type Start } from './player.tsx'
import { TranscriptPane } from './transcript.tsx'

type WatchProps = {
  page: PageContext
  video: Video
  channel?: Channel | undefined
  start: Start
  neighbours: Neighbours
  chapters?: Chapter[]
  /** The kinds of parts that the player skips. */
  skips?: Category[]
  /** Present when the video is watched in a list. */
  place?: PlaceInList | undefined
  file?: FileOutlook
  transcript?: TranscriptAbout | undefined
}

export const WatchPage = ({
  page,
  video,
  channel,
  start,
  neighbours,
  chapters = [],
  skips = [],
  place,
  file = unknown_file,
  transcript,
}: WatchProps) => (
  <Layout page={page} title={video.title} scripts={[player_script]}>
    <div class="watch">
      {/* When the download finishes, `player/file.js` fetches the parts that have an id. */}
      <article data-cell={cellId(video.video_id)}>
        <Stage video={video} start={start} skips={skips}>
          <UpNext neighbours={neighbours} place={place} />
        </Stage>
        <h1 id={titleId(video.video_id)}>
          <bdi>{video.title}</bdi>
        </h1>
        <div class="facts">
          <Known page={page} video={video} channel={channel} />
          <div class="file-actions">
            <WatchedMark video={video} />
            <ListMarks video={video} />
            <FileActions video={video} bin_hours={page.bin_hours} file={file} now={page.now} />
          </div>
          <DownloadCell download={video} now={page.now} />
        </div>
        <TranscriptPane video={video} about={transcript} />
        <div id="about">
          {video.download_status === 'completed' && <Chapters video={video} chapters={chapters} />}
          {video.description && (
            <Description text={video.description} video={video} can_seek={video.download_status === 'completed'} />
          )}
        </div>
        <Beside neighbours={neighbours} place={place} />
      </article>
      <NextTo video={video} neighbours={neighbours} now={page.now} />
    </div>
    <Polling video_ids={movingIds([video, ...neighbours.newer, ...neighbours.older])} />
  </Layout>
)

const unknown_file: FileOutlook = { is_only_copy: false, restorable_until: undefined, can_forget: false }

/** The channel with its face, and what is known about the video. */
const Known = ({ page, video, channel }: Pick<WatchProps, 'page' | 'video' | 'channel'>) => (
  <div id="known" class="known">
    {channel && <Avatar channel={channel} is_awaited={awaitsPicture(channel)} />}
    <div>
      <a class="channel" href={channelPath(video)}>
        <bdi>{video.channel_title}</bdi>
      </a>
      <p class="quiet">
        <Spoken facts={video} />
        <PublishedInFull video={video} now={page.now} />
      </p>
      <Notes video={video} />
    </div>
  </div>
)
