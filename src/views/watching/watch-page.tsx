/** The page of one video: the player or its picture, its facts and actions, and the videos next to it in its channel or its list. */
import type { FileOutlook } from '../../schema/bin/bin.ts'
import type { Channel } from '../../schema/channels/channel.ts'
import { channelPath, playPath } from '../../schema/http/paths.ts'
import type { Chapter } from '../../schema/sources/facts.ts'
import type { Category } from '../../schema/sources/segment.ts'
import type { TranscriptAbout } from '../../schema/sources/subtitles.ts'
import type { ListedVideo, Neighbours, PlaceInList, Video } from '../../schema/videos/video.ts'
import { DownloadCell } from '../downloads/download-cell.tsx'
import { FileActions } from '../downloads/file-actions.tsx'
import { movingIds, Polling } from '../downloads/polling.tsx'
import type { PageContext } from '../frames/context.ts'
import { Layout } from '../frames/layout.tsx'
import { Remarks, Spoken } from '../parts/about-video.tsx'
import { Avatar } from '../parts/thumbnails.tsx'
import { cellId, titleId } from '../ui/element-ids.ts'
import { PublishedInFull } from '../ui/times.tsx'
import { LaterMark, WatchedMark } from '../videos/mark-buttons.tsx'
import { VideoGrid } from '../videos/video-grid.tsx'
import { Chapters, Description, NoChapters } from './description.tsx'
import { FileContents } from './file-contents.tsx'
import { player_script, SegmentsCredit, Stage, type Start } from './player.tsx'
import type { NextVideo } from './player-bar.tsx'
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
        <Stage video={video} start={start} skips={skips} next={nextVideo(neighbours, place)}>
          <UpNext neighbours={neighbours} place={place} />
        </Stage>
        <h1 id={titleId(video.video_id)}>
          <bdi>{video.title}</bdi>
        </h1>
        <div class="facts">
          <Known page={page} video={video} channel={channel} />
          <div class="quick">
            <LaterMark video={video} />
            <WatchedMark video={video} />
            <FileActions video={video} bin_hours={page.bin_hours} file={file} now={page.now} />
          </div>
          <DownloadCell download={video} now={page.now} />
        </div>
        <div id="about">
          {isOnDisk(video) && video.file && <FileContents file={video.file} />}
          {video.description && (
            <Description text={video.description} video={video} can_seek={video.download_status === 'completed'} />
          )}
        </div>
        {skips.length > 0 && <SegmentsCredit />}
        <Beside neighbours={neighbours} place={place} />
      </article>
      <div class="side">
        <section class="companions" aria-label="Chapters and transcript">
          {isOnDisk(video) ? <Chapters video={video} chapters={chapters} /> : <NoChapters />}
          <TranscriptPane video={video} about={transcript} />
        </section>
        <NextTo video={video} neighbours={neighbours} now={page.now} />
      </div>
    </div>
    <Polling video_ids={movingIds([video, ...neighbours.newer, ...neighbours.older])} />
  </Layout>
)

const unknown_file: FileOutlook = { is_only_copy: false, restorable_until: undefined, can_forget: false }

/** The channel with its face, and what is known about the video. */
const Known = ({ page, video, channel }: Pick<WatchProps, 'page' | 'video' | 'channel'>) => (
  <div id="known" class="known">
    {channel && <Avatar channel={channel} />}
    <div>
      <a class="channel" href={channelPath(video)}>
        <bdi>{video.channel_title}</bdi>
      </a>
      <p class="quiet">
        <Spoken facts={video} />
        <PublishedInFull video={video} now={page.now} />
      </p>
      <Remarks video={video} />
    </div>
  </div>
)

type NeighboursProps = { neighbours: Neighbours; place: PlaceInList | undefined }

/** Shown at the end of the video. `player/next.js` counts down before it plays the next one, which must be on disk. */
function UpNext({ neighbours, place }: NeighboursProps) {
  const { playable, shown } = upNext(neighbours, place)
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

/** `playable`: the nearest one on disk. */
function upNext(neighbours: Neighbours, place: PlaceInList | undefined) {
  const { next } = beside(neighbours, place)
  const playable = place ? next : neighbours.newer.find(isOnDisk)
  return { playable, shown: playable ?? place?.missing ?? next }
}

function nextVideo(neighbours: Neighbours, place: PlaceInList | undefined): NextVideo | undefined {
  const { shown } = upNext(neighbours, place)
  return shown && { path: pathIn(place, shown), title: shown.title }
}

/**
 * The videos before and after this one: of the list, or of the channel by date, for watching a series in order. Those of the channel are at
 * the side of the page already, so there only keys follow these links.
 */
function Beside({ neighbours, place }: NeighboursProps) {
  const { next, previous } = beside(neighbours, place)
  return next || previous ? (
    <nav class="beside" hidden={!place} aria-label={place ? `In ${place.name}` : 'In this channel'}>
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

const isOnDisk = ({ download_status }: Pick<ListedVideo, 'download_status'>) => download_status === 'completed'

/** The newer video is the next one. */
const beside = ({ newer, older }: Neighbours, place: PlaceInList | undefined) =>
  place ?? { next: newer[0], previous: older[0] }

const pathIn = (place: PlaceInList | undefined, video: ListedVideo) => playPath(video, { list: place?.list })

type NextToProps = { video: Pick<Video, 'channel_id' | 'channel_title'>; neighbours: Neighbours; now: Date }

/** The videos next to one in its channel, newer ones first. */
function NextTo({ video, neighbours: { newer, older }, now }: NextToProps) {
  const above = newer.slice(0, Math.max(max_newer, max_beside - older.length)).toReversed()
  const shown = [...above, ...older].slice(0, max_beside)
  return shown.length === 0 ? null : (
    <aside class="more" aria-labelledby="more">
      <h2 id="more">
        More from <bdi>{video.channel_title}</bdi>
      </h2>
      <VideoGrid videos={shown} now={now} heading="h3" of_channel />
      <a class="button" href={channelPath(video)}>
        All videos
      </a>
    </aside>
  )
}

const max_beside = 4
const max_newer = 1
