/** The state of the service over all people, for administrators: what needs care, and the acts that belong to it. */

import { status_path } from '../../schema/http/paths.ts'
import { type Health, max_counted_pictures, type OperatorReport } from '../../schema/service/health.ts'
import type { RenewalReport, YtdlpSource } from '../../schema/service/renewal.ts'
import { bytesWords, capitalized, countWords, relativeWords, secondsWords } from '../../schema/values/words.ts'
import { AdministrationFrame, type Fact, Facts } from '../frames/administration.tsx'
import type { PageContext } from '../frames/context.ts'
import { Post } from '../ui/forms.tsx'
import { About, Rows } from '../ui/lists.tsx'
import { Planned } from '../ui/times.tsx'

type FailingSite = Health['sites'][number]
type Props = { page: PageContext; health: Health }

export const HealthPage = ({ page, health }: Props) => (
  <AdministrationFrame page={page} title="Status" line={health.warnings.length === 0 && fineWords(health)}>
    {health.warnings.length > 0 && (
      <div class="warnings">
        {health.warnings.map(warning => (
          <p class="flash problem">{withCode(warning)}</p>
        ))}
      </div>
    )}
    <Facts facts={[...factsOf(health), ...toolFacts(health, page.now)]} />
    {health.renewal && health.workers > 0 && (
      <Post action={`${status_path}/check-ytdlp`} form_class="check-tools">
        Check for a new yt-dlp now
      </Post>
    )}
    {health.sites.length > 0 && <Sites sites={health.sites} now={page.now} />}
  </AdministrationFrame>
)

/** Shows the text between backticks as code. */
const withCode = (warning: string) =>
  warning.split('`').map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))

/** The work and the space of all people. */
function factsOf({ workers, download_times, queue, feeds, pushed_feeds, pictures, disk }: Health): Fact[] {
  const { running, waiting, failed, failing_sites, oldest_waiting_seconds } = queue
  const from = failing_sites > 1 ? `, from ${countWords(failing_sites, 'site')}` : ''
  return [
    ['Workers', workers === 0 ? 'None' : `${workers} running`],
    ['Downloads', `${running} running · ${waiting} queued · ${failed} failed${from}`],
    download_times && ['Downloads run', timesWords(download_times)],
    waiting > 0 && oldest_waiting_seconds !== null && ['Longest queued', secondsWords(oldest_waiting_seconds)],
    feeds.failing > 0 && ['Feeds that fail', String(feeds.failing)],
    pushed_feeds > 0 && ['Push', countWords(pushed_feeds, 'feed')],
    picturesFact(pictures),
    ['Free disk space', disk ? bytesWords(disk.free_bytes) : 'Unknown'],
    disk !== null && disk.bin_bytes > 0 && ['Recently deleted', bytesWords(disk.bin_bytes)],
  ]
}

/** "From 22:00 to 06:00 (Europe/Zurich), closed now · 2.1 MB/s per worker now". */
function timesWords({ hours, time_zone, begin_at, bytes_per_second }: NonNullable<Health['download_times']>): string {
  const rate = bytes_per_second !== null && `${bytesWords(bytes_per_second)}/s per worker now`
  const words = hours && `${hours} (${time_zone}), ${begin_at ? 'closed' : 'open'} now`
  return capitalized([words ?? 'at any time', rate].filter(Boolean).join(' · '))
}

function toolFacts({ ytdlp, renewal, operator, ffmpeg, javascript, proxy }: Health, now: Date): Fact[] {
  const unknown = 'Not found yet'
  return [
    ['yt-dlp', ytdlp ? ytdlpWords(ytdlp) : unknown],
    ...(renewal ? renewalFacts(renewal, now) : []),
    ...(operator ? operatorFacts(operator, now) : []),
    ['ffmpeg', ffmpeg?.version ?? unknown],
    ['JavaScript for yt-dlp', javascript ?? unknown],
    proxy && ['Downloads leave through', proxy === 'http' ? 'An HTTP proxy' : 'A SOCKS5 proxy'],
  ]
}

/** The names of what the operator adds to yt-dlp, and whether downloads work with it. */
function operatorFacts(
  { options, plugins, completed_at, failed_at, failed_reason }: OperatorReport,
  now: Date,
): Fact[] {
  const ended = [
    completed_at && `last completed ${relativeWords(new Date(completed_at), now)}`,
    failed_at &&
      `last failed ${relativeWords(new Date(failed_at), now)}${failed_reason ? `: ${reasonWords(failed_reason)}` : ''}`,
  ]
  const said = ended.filter(Boolean).join(' · ') || 'none since the worker started'
  // A line would break after their dashes.
  const names = options.map(name => name.replace(/^--/, ''))
  return [
    names.length > 0 && ['Your options for yt-dlp', names.join(', ')],
    plugins.length > 0 && ['Your plugins for yt-dlp', plugins.join(', ')],
    ['Downloads with them', capitalized(said)],
  ]
}

/** Nothing when all are stored. */
function picturesFact({ waiting, given_up }: Health['pictures']): Fact {
  const words = (count: number) => (count < max_counted_pictures ? String(count) : `${max_counted_pictures} or more`)
  return waiting + given_up > 0 && ['Pictures', `${words(waiting)} waiting · ${words(given_up)} not available`]
}

function ytdlpWords({ version, age_days, source }: NonNullable<Health['ytdlp']>): string {
  const age = age_days === null ? [] : [daysWords(age_days)]
  return [version, ...age, ...(source ? [sources[source]] : [])].join(', ')
}

const sources: Record<YtdlpSource, string> = {
  own: 'in the data folder, updated daily',
  named: 'set by YTDLP_PATH, not updated by Backlot',
  path: 'installed on the machine, used until the copy in the data folder is as new',
}

const outcomes: Record<NonNullable<RenewalReport['outcome']>, string> = {
  up_to_date: 'no newer version',
  switched: 'updated to a newer version',
  failed: 'the check failed',
  rolled_back: 'went back to the previous version',
}

/** When Backlot last looked for a newer yt-dlp, the result, and any rollback. */
function renewalFacts(renewal: RenewalReport, now: Date): Fact[] {
  const { channel, previous, checked_at, outcome, problem, rolled_back } = renewal
  const checked = checked_at
    ? `${relativeWords(new Date(checked_at), now)}: ${outcome ? outcomes[outcome] : ''}`
    : 'not yet'
  return [
    ['Checked for yt-dlp updates', `${checked} (${channel} releases)`],
    previous && ['Previous yt-dlp', `${previous}, kept`],
    problem && ['Could not update from', problem],
    rolled_back && ['Rolled back', rollBackWords(rolled_back, now)],
  ]
}

const rollBackWords = ({ from, to, at, why }: NonNullable<RenewalReport['rolled_back']>, now: Date) =>
  `${from} to ${to}, ${relativeWords(new Date(at), now)}: ${why}`

const daysWords = (days: number) => (days <= 0 ? 'released today' : `${countWords(days, 'day')} old`)

const Sites = ({ sites, now }: { sites: FailingSite[]; now: Date }) => (
  <section class="group">
    <div class="group-head">
      <h2>Sites in trouble</h2>
      {sites.filter(({ failed }) => failed > 0).length > 1 && (
        <Post action={`${status_path}/retry`} busy="Retrying…">
          Retry all
        </Post>
      )}
    </div>
    <Rows of={sites} row={(site, nth) => <SiteRow site={site} id={`site-${nth}`} now={now} />} />
  </section>
)

const SiteRow = ({ site, id, now }: { site: FailingSite; id: string; now: Date }) => (
  <li class="row">
    <About id={id} title={<bdi>{site.host}</bdi>} below={site.remedy && <p class="quiet">{site.remedy}</p>}>
      {wordsOf(site)}
      {site.rests_until && (
        <>
          , resumes <Planned at={site.rests_until} now={now} />
        </>
      )}
    </About>
    {site.rests_until && <SiteAct act="end-pause" site={site} id={id} label="End pause" />}
    {site.failed > 0 && <SiteAct act="retry" site={site} id={id} label="Retry" />}
  </li>
)

type ActProps = { act: string; site: FailingSite; id: string; label: string }

const SiteAct = ({ act, site: { host }, id, label }: ActProps) => (
  <Post action={`${status_path}/${act}`} fields={{ host }} aria-describedby={id}>
    {label}
  </Post>
)

/** "2 failed: members only, bot check · paused". What waits for a further attempt is not failed. */
function wordsOf({ failed, reasons, rests_until, paused }: FailingSite): string {
  const why = reasons.length === 0 ? '' : `: ${reasons.map(reasonWords).join(', ')}`
  const is_trying = failed === 0 && reasons.length > 0
  const first = paused.includes('downloads') ? 'downloads' : paused[0]
  const words = [
    failed > 0 && `${failed} failed${why}`,
    is_trying && `trying again${why}`,
    rests_until && first && paused_names[first],
  ]
  return capitalized(words.filter(Boolean).join(' · '))
}

const paused_names = {
  downloads: 'paused',
  feeds: 'feeds paused',
  looks: 'lookups paused',
  captions: 'captions paused',
  pictures: 'pictures paused',
} satisfies Record<FailingSite['paused'][number], string>

const reasonWords = (reason: string) => reason_names[reason] ?? reason.replaceAll('_', ' ')
const reason_names: Record<string, string> = {
  members: 'members only',
  geography: 'not available here',
  unavailable: 'not available',
  silent: 'no data',
  no_room: 'disk full',
}

/** Facts about videos, such as “members only”, say nothing about their site. */
const isLimiting = ({ reasons, paused }: FailingSite) =>
  paused.includes('downloads') || reasons.some(reason => reason === 'bot_check' || reason === 'rate_limited')

function fineWords({ sites, queue }: Health): string {
  const limiting = sites.filter(isLimiting).map(({ host }) => host)
  if (limiting.length > 0) {
    const are = limiting.length === 1 ? 'is' : 'are'
    return `Backlot is working, but ${limiting.join(', ')} ${are} limiting downloads.`
  }
  if (queue.failed > 0) return `Backlot is working. ${countWords(queue.failed, 'download')} failed.`
  return 'All systems working.'
}
