/** The state of a download in one line, with its buttons: the same in a card, in a row and on the watch page. */
import type { Child } from 'hono/jsx'
import type { JSX } from 'hono/jsx/jsx-runtime'
import type { Download, Progress } from '../../schema/downloads/download.ts'
import { titleId } from '../ui/cell-ids.ts'
import { Planned } from '../ui/times.tsx'
import { Why } from '../ui/why.tsx'
import { last_numbered, placeWords, progressWords, transferWords } from '../ui/words.ts'
import { Act, Cancel, requestPath, State, Watch, Words } from './download-act.tsx'
import { Failed } from './failed-cell.tsx'
import { Frame, isSettled, SettledCell } from './settled-cell.tsx'

type Cell = { download: Download & { title?: string }; now: Date }

export const DownloadCell = ({ download, now }: Cell) =>
  isSettled(download) ? (
    <SettledCell download={download} />
  ) : (
    <Frame download={{ ...download, download_status: download.queued ? 'pending' : download.download_status }}>
      <Standing download={download} now={now} />
    </Frame>
  )

/** Only for a download that is not settled. */
function Standing({ download, now }: Cell): JSX.Element {
  switch (statusShown(download, now)) {
    case 'downloading':
      return <Running download={download} />
    case 'failed':
      return <Failed download={download} now={now} />
    default:
      return <Waiting download={download} now={now} />
  }
}

/** A next attempt that waits for the same as a first one would looks like it. */
const statusShown = (download: Download, now: Date) =>
  download.download_status === 'failed' && (download.paused_at || rests(download, now))
    ? 'pending'
    : download.download_status

/** Nothing but the pause of its site keeps its next attempt waiting. */
const rests = ({ queued, site_rests_until, next_attempt_at }: Download, now: Date) =>
  queued && site_rests_until !== null && site_rests_until > now && (next_attempt_at ?? now) <= site_rests_until

function Waiting({ download, now }: Cell) {
  const { site_rests_until, held_until, paused_at } = download
  if (paused_at) return <Paused download={download} />
  if (site_rests_until && site_rests_until > now)
    return (
      <Resting download={download} why="The site asked us to slow down.">
        Resumes <Planned at={site_rests_until} now={now} />
      </Resting>
    )
  if (held_until && held_until > now)
    return (
      <Resting download={download} why="On hold: recent downloads failed.">
        Next try <Planned at={held_until} now={now} />
      </Resting>
    )
  return <Queued download={download} />
}

type RestingProps = { download: Download; why: string; children?: Child }

/** Its person paused it, its site or everything. Only the first is resumed here; a notice on the downloads page resumes the others. */
const Paused = ({ download: { video_id, paused_by } }: { download: Download }) => (
  <>
    <Words>
      <State>{paused_words[paused_by ?? 'video']}</State>
    </Words>
    {paused_by === 'video' && (
      <Act video_id={video_id} path={`${requestPath(video_id)}/resume`} icon="play">
        Resume
      </Act>
    )}
    <Cancel video_id={video_id} />
  </>
)

const paused_words = { video: 'Paused', site: 'Its site is paused', all: 'All downloads are paused' }

const Resting = ({ download: { video_id }, why, children }: RestingProps) => (
  <>
    <Words>
      <State>{children}</State>
    </Words>
    <Why video_id={video_id}>{why}</Why>
    <Cancel video_id={video_id} />
  </>
)

/** The place in the queue is not in the spoken state, because it changes often. */
const Queued = ({ download: { video_id, queue_position } }: { download: Download }) => (
  <>
    <Words>
      <State hidden={queue_position !== null}>Queued</State>
      {queue_position !== null && (
        <span class="figures" aria-hidden={queue_position > last_numbered ? 'true' : undefined}>
          {placeWords(queue_position)}
        </span>
      )}
    </Words>
    <Watch video_id={video_id} />
    <Cancel video_id={video_id} />
  </>
)

/** How long it takes to merge, and to add subtitles, is not known. */
const percentOf = (progress: Progress | null) =>
  progress?.percent == null || /^(merging|processing)$/.test(progress.phase) ? undefined : Math.floor(progress.percent)

const Running = ({ download: { video_id, progress, paused_at } }: { download: Download }) => (
  <>
    <Words>
      <State hidden>Downloading</State>
      <progress max="100" aria-labelledby={titleId(video_id)} value={percentOf(progress)} />
      <span class="figures">{paused_at ? 'Pausing…' : progressWords(progress)}</span>
      {/* Shown where there is room: on the downloads page. */}
      <span class="figures transfer">{transferWords(progress)}</span>
    </Words>
    <Watch video_id={video_id} />
    <Cancel video_id={video_id} />
  </>
)
