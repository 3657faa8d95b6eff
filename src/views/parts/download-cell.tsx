/** The one line that says where a download stands: the same in a card, a row and the watch page. */
import type { JSX } from 'hono/jsx/jsx-runtime'
import type { Download } from '../../schema/download.ts'
import { isSound } from '../../schema/quality.ts'
import { cellId, titleId } from './cell-ids.ts'
import { Act, Cancel, removePath, requestPath, State } from './download-act.tsx'
import { bytesWords, placeWords, progressWords, relativeWords, whenWords } from './words.ts'

type Cell = { download: Download & { title?: string }; now: Date }

export const DownloadCell = ({ download, now }: Cell) => (
  <div id={cellId(download.video_id)} class={`cell ${download.download_status}`}>
    <Standing download={download} now={now} />
  </div>
)

function Standing({ download, now }: Cell): JSX.Element {
  switch (download.download_status) {
    case 'pending':
      return download.queued ? <Waiting download={download} now={now} /> : <NotAskedFor download={download} />
    case 'downloading':
      return <Running download={download} />
    case 'completed':
      return <OnDisk download={download} />
    case 'failed':
      return <Failed download={download} now={now} />
  }
}

const NotAskedFor = ({ download: { video_id } }: { download: Download }) => (
  <>
    <p class="words">
      <State hidden>Not downloaded</State>
    </p>
    <Act video_id={video_id} path={requestPath(video_id)}>
      Download
    </Act>
  </>
)

function Waiting({ download, now }: Cell) {
  const { video_id, site_rests_until, held_until } = download
  const resting = (why: string, next: string) => <Resting video_id={video_id} why={why} next={next} />
  if (site_rests_until && site_rests_until > now)
    return resting('The site asks us to slow down.', `Tries again ${relativeWords(site_rests_until, now)}.`)
  if (!held_until || held_until <= now) return <InLine download={download} />
  const next = `One is tried again ${whenWords(held_until, now)}, then the others follow.`
  return resting('The last downloads like this one failed.', next)
}

const Resting = ({ video_id, why, next }: { video_id: string; why: string; next: string }) => (
  <>
    <p class="words">
      <State>{why}</State>
      <span class="next"> {next}</span>
    </p>
    <Cancel video_id={video_id} />
  </>
)

const InLine = ({ download: { video_id, queue_position } }: { download: Download }) => (
  <>
    <p class="words">
      <State hidden={queue_position !== null}>Waiting for its turn</State>
      {queue_position !== null && <span class="figures">{placeWords(queue_position)}</span>}
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

const OnDisk = ({ download: { video_id, file_size, download_path, pinned } }: { download: Download }) => (
  <>
    <p class="words">
      <State>On disk</State>
      {file_size !== null && <span> · {bytesWords(file_size)}</span>}
      {pinned && <span> · pinned</span>}
    </p>
    <div class="actions">
      <a class="button plain" href={`/watch/${encodeURIComponent(video_id)}`} aria-describedby={titleId(video_id)}>
        {isSound({ download_path }) ? 'Listen' : 'Watch'}
      </a>
      <details class="menu">
        <summary class="button plain" aria-label="Save or delete" aria-describedby={titleId(video_id)}>
          ⋯
        </summary>
        <div class="panel">
          <a class="item" href={`/download/${encodeURIComponent(video_id)}`}>
            Save file
          </a>
          <Act video_id={video_id} path={`${requestPath(video_id)}/${pinned ? 'unpin' : 'pin'}`} class="item">
            {pinned ? 'Unpin file' : 'Pin file'}
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
  const { video_id, queued, attempts, max_attempts, keeps_trying, download_error, download_detail } = download
  const next_at = latest(download.next_attempt_at, download.site_rests_until, download.held_until)
  return (
    <>
      <p class="words">
        <State>{download_error ?? 'The download failed.'}</State>
        {queued && keeps_trying && (
          <span class="next"> We check again {next_at > now ? whenWords(next_at, now) : 'in a moment'}.</span>
        )}
        {queued && !keeps_trying && (
          <span class="next">
            {' '}
            Tries again {next_at > now ? relativeWords(next_at, now) : 'in a moment'}{' '}
            {`(attempt ${Math.min(attempts + 1, max_attempts)} of ${max_attempts})`}.
          </span>
        )}
      </p>
      <div class="actions">
        <Act video_id={video_id} path={requestPath(video_id)}>
          {queued ? 'Try now' : 'Try again'}
        </Act>
        {queued ? <Cancel video_id={video_id} /> : <Cancel video_id={video_id} label="Dismiss" />}
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

const latest = (...dates: (Date | null)[]) => new Date(Math.max(0, ...dates.map(date => date?.getTime() ?? 0)))
