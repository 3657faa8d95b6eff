/** The state of a download in one line, with its buttons: the same in a card, in a row and on the watch page. */
import type { Child } from 'hono/jsx'
import type { JSX } from 'hono/jsx/jsx-runtime'
import { canRetry, type Download, type Progress } from '../../schema/downloads/download.ts'
import { requestPath } from '../../schema/http/paths.ts'
import { bytesWords, durationWords } from '../../schema/values/words.ts'
import { titleId } from '../ui/element-ids.ts'
import { Planned } from '../ui/times.tsx'
import { Act, Cancel, cancelPath, State, Words } from './download-buttons.tsx'
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
  const { site_rests_until, held_until, hours_begin_at, paused_at } = download
  if (paused_at) return <Paused download={download} />
  if (hours_begin_at && hours_begin_at > latest(now, site_rests_until, held_until))
    return (
      <Resting download={download} why="Downloads run at certain hours. Watch now starts this one at once.">
        Starts <Planned at={hours_begin_at} now={now} />
      </Resting>
    )
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
      <Act video_id={video_id} path={`${requestPath(video_id)}/resume`} icon="play" labelled>
        Resume
      </Act>
    )}
    <Cancel video_id={video_id} />
  </>
)

/** While everything is paused, the notice on the downloads page says so. */
const paused_words = { video: 'Paused', site: 'Site paused', all: 'Queued' }

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
    <Cancel video_id={video_id} />
  </>
)

type FailedProps = { download: Download; now: Date }

/** A failed download may be retried later. One that is not queued is dismissed rather than cancelled. */
const Failed = ({ download, now }: FailedProps) => {
  const { video_id, queued, download_error, download_detail } = download
  const reason = download_error ?? 'Download failed.'
  const retry = canRetry(download) ? (queued ? 'Retry now' : 'Retry') : undefined
  return (
    <>
      <Words>
        <State>{reason}</State>
        {queued && <NextTry download={download} now={now} />}
      </Words>
      <Why
        video_id={video_id}
        detail={download_detail}
        actions={
          <>
            {retry && (
              <Act video_id={video_id} path={requestPath(video_id)} kind="plain">
                {retry}
              </Act>
            )}
            <Act video_id={video_id} path={cancelPath(video_id)} kind="plain">
              {queued ? 'Cancel' : 'Dismiss'}
            </Act>
          </>
        }
      >
        {reason}
        {queued && <NextTry download={download} now={now} />}
      </Why>
      {retry && (
        <Act video_id={video_id} path={requestPath(video_id)} icon="refresh" class="get">
          {retry}
        </Act>
      )}
    </>
  )
}

const NextTry = ({ download, now }: FailedProps) => {
  const { attempts, max_attempts, keeps_trying, next_attempt_at, site_rests_until, held_until, hours_begin_at } =
    download
  const next = <Planned at={latest(next_attempt_at, site_rests_until, held_until, hours_begin_at)} now={now} />
  return keeps_trying ? (
    <span class="next"> Next check {next}.</span>
  ) : (
    <span class="next">
      {' '}
      Retrying {next}
      <span class="attempts">
        , attempt {Math.min(attempts + 1, max_attempts)} of {max_attempts}.
      </span>
    </span>
  )
}

const latest = (...dates: (Date | null)[]) => new Date(Math.max(0, ...dates.map(date => date?.getTime() ?? 0)))

type WhyProps = { video_id: string; detail?: string | null; actions?: Child; children?: Child }

/** "Why?" beside the one line of a state: the whole reason, what the tool said, and what can be done. */
const Why = ({ video_id, detail, actions, children }: WhyProps) => (
  <details class="menu why">
    <summary class="button quiet" aria-describedby={titleId(video_id)}>
      Why?
    </summary>
    <div class="panel">
      <p>{children}</p>
      {detail && <code>{detail}</code>}
      {actions && <div class="actions">{actions}</div>}
    </div>
  </details>
)

/** "42% · 1:10 left", without the parts that are not known. */
function progressWords(progress: Progress | null): string {
  if (progress === null || progress.phase === 'preparing') return 'Starting'
  if (progress.phase === 'processing') return 'Finishing…'
  if (progress.phase === 'merging') return 'Merging…'
  const { percent, eta_seconds, downloaded_bytes } = progress
  if (progress.phase === 'converting') return percent === null ? 'Converting' : `Converting · ${Math.floor(percent)}%`
  if (percent === null) return downloaded_bytes === null ? 'Downloading' : `${bytesWords(downloaded_bytes)} so far`
  return `${Math.floor(percent)}%${eta_seconds === null ? '' : ` · ${durationWords(eta_seconds)} left`}`
}

/** "310 of 738 MB · 6.1 MB/s": where there is room for it; `undefined` unless it is being received. */
export function transferWords(progress: Progress | null): string | undefined {
  if (progress?.phase !== 'downloading' || progress.downloaded_bytes === null) return undefined
  const { downloaded_bytes, total_bytes, speed } = progress
  const [got, total] = [bytesWords(downloaded_bytes), total_bytes === null ? '' : bytesWords(total_bytes)]
  // One unit is enough where both have the same.
  const short = unitOf(got) === unitOf(total) ? got.slice(0, -unitOf(got).length - 1) : got
  return [total ? `${short} of ${total}` : got, speed ? `${bytesWords(speed)}/s` : ''].filter(Boolean).join(' · ')
}

const unitOf = (words: string) => words.slice(words.indexOf(' ') + 1)

/** "Up next", "Queued, #6", "Queued"; 1 is the next. Far back the number says little and changes often. */
export const placeWords = (place: number): string =>
  place === 1 ? 'Up next' : place <= last_numbered ? `Queued, #${place}` : 'Queued'

/** The last place in the queue that is shown as a number. */
const last_numbered = 10
