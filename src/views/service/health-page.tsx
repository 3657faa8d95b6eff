/** The state of the service, for the administrator and for people who wonder why a download does not start. */
import { type FailingSite, type Health, max_counted_pictures } from '../../schema/service/health.ts'
import type { RenewalReport, YtdlpSource } from '../../schema/service/renewal.ts'
import { bytesWords, countWords, relativeWords, secondsWords } from '../../schema/values/words.ts'
import type { PageContext } from '../ui/context.ts'
import { Layout } from '../ui/layout.tsx'
import { Planned } from '../ui/times.tsx'

export const HealthPage = ({ page, health }: { page: PageContext; health: Health }) => (
  <Layout page={page} title="Status">
    <header class="heading">
      <h1>Status</h1>
      {health.warnings.length === 0 && <p class="quiet">{fineWords(health)}</p>}
    </header>
    {health.warnings.length > 0 && (
      <div class="warnings">
        {health.warnings.map(warning => (
          <p class="flash problem">{withCode(warning)}</p>
        ))}
      </div>
    )}
    <dl class="facts-list">
      {factsOf(health, page.now).map(([name, value]) => (
        <>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </>
      ))}
    </dl>
    {health.sites.length > 0 && (
      <section class="group">
        <h2>Sites limiting downloads</h2>
        <ul>
          {health.sites.map(site => (
            <SiteRow site={site} now={page.now} />
          ))}
        </ul>
      </section>
    )}
  </Layout>
)

/** Shows the text between backticks as code. */
const withCode = (warning: string) =>
  warning.split('`').map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))

function factsOf(health: Health, now: Date): [string, string][] {
  const { workers, ytdlp, renewal, ffmpeg, javascript, queue, pushed_feeds, pictures, disk } = health
  const unknown = 'Not found yet'
  return [
    ['Workers', workers === 0 ? 'None' : `${workers} running`],
    ['yt-dlp', ytdlp ? ytdlpWords(ytdlp) : unknown],
    ...(renewal ? renewalFacts(renewal, now) : []),
    ['ffmpeg', ffmpeg?.version ?? unknown],
    ['JavaScript for yt-dlp', javascript ?? unknown],
    ['Downloads', `${queue.running} running · ${queue.waiting} queued · ${failedWords(queue)}`],
    ['Longest queued', queue.oldest_waiting_seconds === null ? '–' : secondsWords(queue.oldest_waiting_seconds)],
    ...(pushed_feeds > 0 ? [['Push', countWords(pushed_feeds, 'feed')] satisfies [string, string]] : []),
    ...picturesFacts(pictures),
    ['Free disk space', disk ? bytesWords(disk.free_bytes) : 'Unknown'],
    ...(disk?.bin_bytes ? [['Recently deleted', bytesWords(disk.bin_bytes)] satisfies [string, string]] : []),
  ]
}

/** Nothing when all are stored. */
function picturesFacts({ waiting, given_up }: Health['pictures']): [string, string][] {
  const words = (count: number) => (count < max_counted_pictures ? String(count) : `${max_counted_pictures} or more`)
  if (waiting === 0 && given_up === 0) return []
  return [['Pictures', `${words(waiting)} waiting · ${words(given_up)} not available`]]
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
function renewalFacts(renewal: RenewalReport, now: Date): [string, string][] {
  const { channel, previous, checked_at, outcome, problem, rolled_back } = renewal
  const checked = checked_at
    ? `${relativeWords(new Date(checked_at), now)}: ${outcome ? outcomes[outcome] : ''}`
    : 'not yet'
  return [
    ['Checked for yt-dlp updates', `${checked} (${channel} releases)`],
    ...(previous ? [['Previous yt-dlp', `${previous}, kept`] as [string, string]] : []),
    ...(problem ? [['Could not update from', problem] as [string, string]] : []),
    ...(rolled_back ? [['Rolled back', rollBackWords(rolled_back, now)] as [string, string]] : []),
  ]
}

const rollBackWords = ({ from, to, at, why }: NonNullable<RenewalReport['rolled_back']>, now: Date) =>
  `${from} to ${to}, ${relativeWords(new Date(at), now)}: ${why}`

const daysWords = (days: number) => (days <= 0 ? 'released today' : `${countWords(days, 'day')} old`)

const failedWords = ({ failed, failing_sites }: Health['queue']) =>
  failed === null
    ? 'failed not counted yet'
    : `${failed} failed${failing_sites ? `, from ${countWords(failing_sites, 'site')}` : ''}`

const SiteRow = ({ site: { host, failed, latest_error, rests_until }, now }: { site: FailingSite; now: Date }) => (
  <li>
    {host}: {failed} failed. {latest_error}
    {rests_until && (
      <>
        {' '}
        Paused, resumes <Planned at={rests_until} now={now} />.
      </>
    )}
  </li>
)

/** Says that nothing is wrong with the service; sites may still refuse downloads. */
const fineWords = ({ sites }: Health) =>
  sites.length === 0 ? 'All systems working.' : 'Backlot is working, but some sites are limiting downloads.'
