/** What keeps downloads waiting, once per site instead of in every row: a pause that a site asked for, failures, or your own pause. */
import { numberWords } from '../../schema/values/words.ts'
import type { SiteNotice } from '../../schema/videos/video-api.ts'
import { noticeId } from '../ui/element-ids.ts'
import { Post } from '../ui/forms.tsx'
import { Planned } from '../ui/times.tsx'

export const SiteNotices = ({ notices, now }: { notices: SiteNotice[]; now: Date }) =>
  notices.length === 0 ? null : (
    <ul class="notices" aria-label="What is waiting">
      {notices.map(notice => (
        <li class="notice">
          <p id={noticeId(notice.host)}>
            <Why notice={notice} now={now} />
          </p>
          <div class="buttons">
            {notice.paused_at === null && <TryNow host={notice.host} />}
            <PauseSite host={notice.host} is_paused={notice.paused_at !== null} />
          </div>
        </li>
      ))}
    </ul>
  )

const Why = ({ notice, now }: { notice: SiteNotice; now: Date }) => {
  const { host, waiting, paused_at, rests_until, held_until } = notice
  if (paused_at && host === '') return <>All downloads are paused.</>
  const site = <bdi>{host}</bdi>
  if (paused_at)
    return (
      <>
        You paused {site}. {waitWords(waiting)}
      </>
    )
  const next = <Planned at={rests_until ?? held_until ?? now} now={now} />
  if (rests_until)
    return (
      <>
        {site} asked us to slow down. {waitWords(waiting)} Resumes {next}.
      </>
    )
  return (
    <>
      Recent downloads from {site} failed. {waitWords(waiting)} Next try {next}.
    </>
  )
}

/** "15 wait.", "1 waits.", or nothing. */
const waitWords = (count: number) => (count === 0 ? '' : count === 1 ? '1 waits.' : `${numberWords(count)} wait.`)

const TryNow = ({ host }: { host: string }) => (
  <Post action="/downloads/try" fields={{ host }} busy="Trying…" aria-describedby={noticeId(host)}>
    Try now
  </Post>
)

const PauseSite = ({ host, is_paused }: { host: string; is_paused: boolean }) => (
  <Post
    action={`/downloads/${is_paused ? 'resume' : 'pause'}`}
    fields={host === '' ? { all: 'true' } : { host }}
    busy={is_paused ? 'Resuming…' : 'Pausing…'}
    aria-describedby={noticeId(host)}
  >
    {host === '' ? 'Resume all' : is_paused ? 'Resume' : 'Pause this site'}
  </Post>
)
