/** The page of one video: the player or its picture, its facts and actions, and other videos of the channel. */
import type { FileOutlook } from '../../schema/bin.ts'
import type { ListedVideo, Neighbours, Video } from '../../schema/video.ts'
import { cellId, titleId } from '../parts/cell-ids.ts'
import type { PageContext } from '../parts/context.ts'
import { Description } from '../parts/description.tsx'
import { DownloadCell } from '../parts/download-cell.tsx'
import { Spoken } from '../parts/facts.tsx'
import { FileActions } from '../parts/file-actions.tsx'
import { Button } from '../parts/forms.tsx'
import { KeysDialog } from '../parts/keys.tsx'
import { Layout } from '../parts/layout.tsx'
import { Notes } from '../parts/notes.tsx'
import { onlyCopyWords, undoWords } from '../parts/only-copy.ts'
import { Stage, type Start } from '../parts/player.tsx'
import { movingIds, Polling } from '../parts/polling.tsx'
import { SeenMark } from '../parts/seen-mark.tsx'
import { shownOf } from '../parts/shown-video.ts'
import { WhenInFull } from '../parts/times.tsx'
import { VideoGrid } from '../parts/video-card.tsx'
import { bytesWords, channelPath, watchPath } from '../parts/words.ts'

type WatchProps = {
  page: PageContext
  video: Video
  start: Start
  neighbours: Neighbours
  /** Other videos of the channel. */
  more: ListedVideo[]
  /** The person added the video by its address, and follows none of its channels. */
  can_forget?: boolean
  file?: FileOutlook
}

export const WatchPage = ({
  page,
  video,
  start,
  neighbours,
  more,
  can_forget = false,
  file = unknown_file,
}: WatchProps) => (
  <Layout page={page} title={video.title} script="player.js">
    <div class="watch">
      {/* When the download finishes, `player.js` fetches the parts that have an id. */}
      <article data-cell={cellId(video.video_id)}>
        <Stage video={video} start={start}>
          {neighbours.next && (
            <a class="button plain up-next" href={watchPath(neighbours.next)} hidden>
              Next: {neighbours.next.title}
            </a>
          )}
        </Stage>
        <h1 id={titleId(video.video_id)}>
          <bdi>{video.title}</bdi>
        </h1>
        <div class="facts">
          <div id="known" class="known">
            <p class="quiet">
              <Spoken facts={video} />
              <a class="channel" href={channelPath(video)}>
                {video.channel_title}
              </a>{' '}
              · <WhenInFull video={shownOf(video, page.now)} />
            </p>
            <Notes video={video} />
          </div>
          <DownloadCell download={video} now={page.now} />
          <div class="file-actions">
            <SeenMark video={video} />
            <FileActions video={video} bin_hours={page.bin_hours} file={file} now={page.now} />
            {can_forget && <Forget video={video} bin_hours={page.bin_hours} file={file} />}
          </div>
        </div>
        <Beside neighbours={neighbours} />
        <div id="about">
          {video.description && (
            <Description text={video.description} video={video} can_seek={video.download_status === 'completed'} />
          )}
        </div>
      </article>
      {more.length > 0 && (
        <aside class="more" aria-labelledby="more">
          <h2 id="more">More from {video.channel_title}</h2>
          <VideoGrid videos={more} now={page.now} heading="h3" small />
        </aside>
      )}
    </div>
    <KeysDialog />
    <Polling video_ids={movingIds([video, ...more])} />
  </Layout>
)

const unknown_file: FileOutlook = { is_only_copy: false, restorable_until: undefined }

type ForgetProps = { video: Video; bin_hours: number; file: FileOutlook }

const Forget = ({ video: { video_id, file_size }, bin_hours, file }: ForgetProps) => {
  return (
    <details class="menu">
      <summary class="button plain">Remove from library</summary>
      <form class="panel" method="post" action={`/videos/${encodeURIComponent(video_id)}/forget`}>
        <p>
          Remove this video from your library?
          {file_size !== null && ` Its file (${bytesWords(file_size)}) is deleted too.`}{' '}
          {onlyCopyWords(1, file.is_only_copy ? 1 : 0)}
          {undoWords(bin_hours) ??
            (file.is_only_copy ? '' : 'You can add it again by its link while the site still has it.')}
        </p>
        <Button kind="danger" busy="Removing…">
          Remove
        </Button>
      </form>
    </details>
  )
}

/** The older and the newer video by date, for watching a series in order. */
const Beside = ({ neighbours: { previous, next } }: { neighbours: Neighbours }) =>
  previous || next ? (
    <nav class="beside" aria-label="In this channel">
      {previous && (
        <a rel="prev" href={watchPath(previous)}>
          <span class="quiet">Older</span>
          <span class="name" dir="auto">
            {previous.title}
          </span>
        </a>
      )}
      {next && (
        <a rel="next" href={watchPath(next)}>
          <span class="quiet">Newer</span>
          <span class="name" dir="auto">
            {next.title}
          </span>
        </a>
      )}
    </nav>
  ) : null
