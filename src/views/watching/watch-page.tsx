/** The page of one video: the player or its picture, its facts and actions, and the videos next to it in its channel or its list. */
import type { FileOutlook } from '../../schema/bin/bin.ts'
import type { Channel } from '../../schema/channels/channel.ts'
import type { Chapter } from '../../schema/sources/facts.ts'
import type { Category } from '../../schema/sources/segment.ts'
import type { TranscriptAbout } from '../../schema/sources/subtitles.ts'
import { awaitsPicture } from '../../schema/values/picture.ts'
import type { ListedVideo, Neighbours, PlaceInList, Video } from '../../schema/videos/video.ts'
import { DownloadCell } from '../downloads/download-cell.tsx'
import { FileActions } from '../downloads/file-actions.tsx'
import { movingIds, Polling } from '../downloads/polling.tsx'
import { Notes, Spoken } from '../ui/about-video.tsx'
import type { PageContext } from '../ui/context.ts'
import { cellId, titleId } from '../ui/element-ids.ts'
import { Layout } from '../ui/layout.tsx'
import { channelPath, playPath } from '../ui/paths.ts'
import { Avatar } from '../ui/pictures.tsx'
import { PublishedInFull } from '../ui/times.tsx'
import { ListMarks, WatchedMark } from '../videos/marks.tsx'
import { VideoGrid } from '../videos/video-lists.tsx'
import { Chapters, Description } from './description.tsx'
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

type NeighboursProps = { neighbours: Neighbours; place: PlaceInList | undefined }

/** Shown at the end of the video. `player/next.js` counts down before it plays the next one, which must be on disk. */
function UpNext({ neighbours, place }: NeighboursProps) {
  const { next } = beside(neighbours, place)
  const playable = place ? next : neighbours.newer.find(isOnDisk)
  const shown = playable ?? next
  return (
    <div class="up-next" hidden>
      {shown ? (
        <>
          <a href={pathIn(place, shown)} data-plays={playable && ''}>
            Next: <bdi>{shown.title}</bdi>
          </a>
          {playable ? (
            <p>
              <span class="count quiet" role="timer"></span>
              <button type="button" class="button main" data-act="playnext">
                Play now
              </button>
              <button type="button" class="button plain" data-act="stay">
                Stay here
              </button>
            </p>
          ) : (
            <p class="quiet">It is not on disk yet.</p>
          )}
        </>
      ) : (
        <p class="quiet">
          {place ? `That was the last of ${place.name} on disk.` : "You've reached the newest video."}
        </p>
      )}
    </div>
  )
}

/** The videos before and after this one: of the list, or of the channel by date, for watching a series in order. */
function Beside({ neighbours, place }: NeighboursProps) {
  const { next, previous } = beside(neighbours, place)
  return next || previous ? (
    <nav class="beside" aria-label={place ? `In ${place.name}` : 'In this channel'}>
      {place && (
        <p class="quiet">
          {place.place === undefined ? `${place.total}` : `${place.place} of ${place.total}`} on disk in{' '}
          <bdi>{place.name}</bdi>
        </p>
      )}
      {previous && <Step rel="prev" video={previous} place={place} words={place ? 'Previous' : 'Older'} />}
      {next && <Step rel="next" video={next} place={place} words={place ? 'Next' : 'Newer'} />}
    </nav>
  ) : null
}

type StepProps = { rel: 'prev' | 'next'; video: ListedVideo; place: PlaceInList | undefined; words: string }
const Step = ({ rel, video, place, words }: StepProps) => (
  <a rel={rel} href={pathIn(place, video)}>
    <span class="quiet">{words}</span>
    <span class="name" dir="auto">
      {video.title}
    </span>
  </a>
)

const isOnDisk = ({ download_status }: ListedVideo) => download_status === 'completed'

/** The newer video is the next one. */
const beside = ({ newer, older }: Neighbours, place: PlaceInList | undefined) =>
  place ?? { next: newer[0], previous: older[0] }

const pathIn = (place: PlaceInList | undefined, video: ListedVideo) => playPath(video, { list: place?.list })

type NextToProps = { video: Pick<Video, 'title' | 'channel_title'>; neighbours: Neighbours; now: Date }

/** The videos next to one in its channel: newer ones, the video itself as a mark, older ones. */
const NextTo = ({ video, neighbours: { newer, older }, now }: NextToProps) =>
  newer.length + older.length > 0 ? (
    <aside class="more" aria-labelledby="more">
      <h2 id="more">
        More from <bdi>{video.channel_title}</bdi>
      </h2>
      {newer.length > 0 && (
        <>
          <VideoGrid videos={newer.toReversed()} now={now} heading="h3" of_channel small />
          <p class="here">
            <span class="quiet">This video</span> <bdi>{video.title}</bdi>
          </p>
        </>
      )}
      {older.length > 0 && <VideoGrid videos={older} now={now} heading="h3" of_channel small />}
    </aside>
  ) : null
