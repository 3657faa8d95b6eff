/** The state of a download in one line, with its buttons: the same in a card, in a row and on the watch page. */
import type { Child } from 'hono/jsx'
import type { JSX } from 'hono/jsx/jsx-runtime'
import type { Download } from '../../schema/download.ts'
import { isSound } from '../../schema/quality.ts'
import { cellId, titleId } from './cell-ids.ts'
import { Act, Cancel, removePath, requestPath, State } from './download-act.tsx'
import { remembered } from './remembered.ts'
import { rendered } from './rendered.ts'
import { Planned } from './times.tsx'
import { bytesWords, keepWords, last_numbered, placeWords, progressWords } from './words.ts'

type Cell = { download: Download & { title?: string }; now: Date }

export const DownloadCell = ({ download, now }: Cell) => (
  <Frame download={download}>
    <Standing download={download} now={now} />
  </Frame>
)

type StillDownload = Pick<Download, 'video_id' | 'download_status' | 'download_path' | 'file_size' | 'pinned'>

/** Whether the cell changes only when the person or a rule does something, and so depends on the values of `StillDownload` only. */
export const isStill = ({ download_status, queued }: Pick<Download, 'download_status' | 'queued'>): boolean =>
  download_status === 'completed' || (download_status === 'pending' && !queued)

/** The same as `DownloadCell`, for a download that is still. */
export const StillCell = ({ download }: { download: StillDownload }) => (
  <Frame download={download}>
    {download.download_status === 'completed' ? (
      <OnDisk download={download} />
    ) : (
      <NotDownloaded video_id={download.video_id} />
    )}
  </Frame>
)

type FrameProps = { download: Pick<Download, 'video_id' | 'download_status'>; children?: Child }

const Frame = ({ download: { video_id, download_status }, children }: FrameProps) => (
  <div id={cellId(video_id)} class={`cell ${download_status}`}>
    {children}
  </div>
)

function Standing({ download, now }: Cell): JSX.Element {
  switch (download.download_status) {
    case 'pending':
      return download.queued ? (
        <Waiting download={download} now={now} />
      ) : (
        <NotDownloaded video_id={download.video_id} />
      )
    case 'downloading':
      return <Running download={download} />
    case 'completed':
      return <OnDisk download={download} />
    case 'failed':
      return <Failed download={download} now={now} />
  }
}

const NotDownloaded = remembered(({ video_id }: { video_id: string }) => (
  <>
    {not_downloaded}
    <Act video_id={video_id} path={requestPath(video_id)}>
      Download
    </Act>
  </>
))

const not_downloaded = rendered(
  <p class="words">
    <State hidden>Not downloaded</State>
  </p>,
)

function Waiting({ download, now }: Cell) {
  const { site_rests_until, held_until } = download
  if (site_rests_until && site_rests_until > now)
    return (
      <Paused download={download} why="The site asked us to slow down.">
        Resumes <Planned at={site_rests_until} now={now} />.
      </Paused>
    )
  if (held_until && held_until > now)
    return (
      <Paused download={download} why="On hold: recent downloads failed.">
        Next try <Planned at={held_until} now={now} />.
      </Paused>
    )
  return <Queued download={download} />
}

type PausedProps = { download: Download; why: string; children?: Child }

const Paused = ({ download: { video_id }, why, children }: PausedProps) => (
  <>
    <p class="words">
      <span>
        <State>{why}</State> <span class="next">{children}</span>
      </span>
    </p>
    <Cancel video_id={video_id} />
  </>
)

/** The place in the queue is not in the spoken state, or a screen reader would count along. */
const Queued = ({ download: { video_id, queue_position } }: { download: Download }) => (
  <>
    <p class="words">
      <State hidden={queue_position !== null}>Queued</State>
      {queue_position !== null && (
        <span class="figures" aria-hidden={queue_position > last_numbered ? 'true' : undefined}>
          {placeWords(queue_position)}
        </span>
      )}
    </p>
    <Cancel video_id={video_id} />
  </>
)

const Running = ({ download: { video_id, progress } }: { download: Download }) => (
  <>
    <p class="words">
      <State hidden>Downloading</State>
      <progress
        max="100"
        aria-labelledby={titleId(video_id)}
        value={progress?.percent == null ? undefined : Math.floor(progress.percent)}
      />
      <span class="figures">{progressWords(progress)}</span>
    </p>
    <Cancel video_id={video_id} />
  </>
)

const OnDisk = ({ download: { video_id, file_size, download_path, pinned } }: { download: StillDownload }) => (
  <>
    <p class="words">
      <State>On disk</State>
      {file_size !== null && <span> · {bytesWords(file_size)}</span>}
      {pinned && <span> · kept forever</span>}
    </p>
    <div class="actions">
      <a class="button plain" href={`/watch/${encodeURIComponent(video_id)}`} aria-describedby={titleId(video_id)}>
        {isSound({ download_path }) ? 'Listen' : 'Watch'}
      </a>
      <details class="menu">
        <summary class="button plain" aria-label="More actions" aria-describedby={titleId(video_id)}>
          ⋯
        </summary>
        <div class="panel">
          <a class="item" href={`/download/${encodeURIComponent(video_id)}`}>
            Save file
          </a>
          <Act video_id={video_id} path={`${requestPath(video_id)}/${pinned ? 'unpin' : 'pin'}`} class="item">
            {keepWords(pinned)}
          </Act>
          <Act video_id={video_id} path={removePath(video_id)} class="item danger">
            Delete file
          </Act>
        </div>
      </details>
    </div>
  </>
)

const Failed = ({ download, now }: Cell) => {
  const { video_id, queued, download_error, download_detail } = download
  return (
    <>
      <p class="words">
        <State>{download_error ?? 'Download failed.'}</State>
        {queued && <NextTry download={download} now={now} />}
      </p>
      <div class="actions">
        <Act video_id={video_id} path={requestPath(video_id)}>
          {queued ? 'Retry now' : 'Retry'}
        </Act>
        <Cancel video_id={video_id} label={queued ? 'Cancel' : 'Dismiss'} />
      </div>
      {download_detail && (
        <details class="raw">
          <summary>Details</summary>
          <code>{download_detail}</code>
        </details>
      )}
    </>
  )
}

const NextTry = ({ download, now }: Cell) => {
  const { attempts, max_attempts, keeps_trying, next_attempt_at, site_rests_until, held_until } = download
  const next = <Planned at={latest(next_attempt_at, site_rests_until, held_until)} now={now} />
  return keeps_trying ? (
    <span class="next"> Next check {next}.</span>
  ) : (
    <span class="next">
      {' '}
      Retrying {next}, attempt {Math.min(attempts + 1, max_attempts)} of {max_attempts}.
    </span>
  )
}

const latest = (...dates: (Date | null)[]) => new Date(Math.max(0, ...dates.map(date => date?.getTime() ?? 0)))
