/** The content of the download cell of a failed download, which may be retried later. */
import type { Download } from '../../schema/downloads/download.ts'
import { Planned } from '../ui/times.tsx'
import { firstSentence, Why } from '../ui/why.tsx'
import { Act, cancelPath, requestPath, State, Words } from './download-act.tsx'
import { isLost } from './settled-cell.tsx'

type Cell = { download: Download; now: Date }

/** Not queued, it is dismissed rather than cancelled. */
export const Failed = ({ download, now }: Cell) => {
  const { video_id, queued, download_error, download_detail } = download
  const reason = download_error ?? 'Download failed.'
  const retry = isLost(download) ? undefined : queued ? 'Retry now' : 'Retry'
  return (
    <>
      <Words>
        <State>{firstSentence(reason)}</State>
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
