/** How the service is doing, for whoever runs it and for everybody who wonders why nothing comes. */
import type { FailingSite, Health } from '../../schema/health.ts'
import type { RenewalReport, YtdlpSource } from '../../schema/renewal.ts'
import type { PageContext } from '../parts/context.ts'
import { Layout } from '../parts/layout.tsx'
import { bytesWords, countWords, durationWords, relativeWords } from '../parts/words.ts'

export const HealthPage = ({ page, health }: { page: PageContext; health: Health }) => (
  <Layout page={page} title="Health">
    <header class="heading">
      <h1>Health</h1>
      {health.warnings.length === 0 && <p class="quiet">Everything works.</p>}
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
        <h2>Sites that do not let your downloads through</h2>
        <ul>
          {health.sites.map(site => (
            <li>{siteWords(site, page.now)}</li>
          ))}
        </ul>
      </section>
    )}
  </Layout>
)

/** What stands between backticks is to be typed. */
const withCode = (warning: string) =>
  warning.split('`').map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))

function factsOf(health: Health, now: Date): [string, string][] {
  const { workers, ytdlp, renewal, ffmpeg, javascript, queue, disk } = health
  const unknown = 'Not found yet'
  return [
    ['Workers', workers === 0 ? 'None is running' : `${workers} running`],
    ['yt-dlp', ytdlp ? ytdlpWords(ytdlp) : unknown],
    ...(renewal ? renewalFacts(renewal, now) : []),
    ['ffmpeg', ffmpeg?.version ?? unknown],
    ['JavaScript for yt-dlp', javascript ?? unknown],
    ['Downloads', `${queue.running} running · ${queue.waiting} waiting · ${failedWords(queue)}`],
    [
      'Longest wait',
      queue.oldest_waiting_seconds === null ? 'Nobody waits' : durationWords(queue.oldest_waiting_seconds),
    ],
    ['Free on the disk', disk ? bytesWords(disk.free_bytes) : 'Not known'],
  ]
}

function ytdlpWords({ version, age_days, source }: NonNullable<Health['ytdlp']>): string {
  const age = age_days === null ? [] : [daysWords(age_days)]
  return [version, ...age, ...(source ? [sources[source]] : [])].join(', ')
}

const sources: Record<YtdlpSource, string> = {
  own: 'in the data folder, updated daily',
  named: 'named in YTDLP_PATH, not updated by this service',
  path: 'installed on the machine, until a copy in the data folder is as new',
}

const outcomes: Record<NonNullable<RenewalReport['outcome']>, string> = {
  up_to_date: 'no newer version',
  switched: 'a newer version is in use',
  failed: 'the check failed',
  rolled_back: 'went back to the previous version',
}

/** When yt-dlp was last looked for, what came of it, and what was undone. */
function renewalFacts(renewal: RenewalReport, now: Date): [string, string][] {
  const { channel, previous, checked_at, outcome, problem, rolled_back } = renewal
  const checked = checked_at
    ? `${relativeWords(new Date(checked_at), now)}: ${outcome ? outcomes[outcome] : ''}`
    : 'not yet'
  return [
    ['Checked for a newer yt-dlp', `${checked} (${channel} releases)`],
    ...(previous ? [['Previous yt-dlp', `${previous}, kept`] as [string, string]] : []),
    ...(problem ? [['Could not update from', problem] as [string, string]] : []),
    ...(rolled_back ? [['Taken back', rollBackWords(rolled_back, now)] as [string, string]] : []),
  ]
}

const rollBackWords = ({ from, to, at, why }: NonNullable<RenewalReport['rolled_back']>, now: Date) =>
  `${from} to ${to}, ${relativeWords(new Date(at), now)}: ${why}`

const daysWords = (days: number) => (days <= 0 ? 'released today' : `${countWords(days, 'day')} old`)

const failedWords = ({ failed, failing_sites }: Health['queue']) =>
  failed === null
    ? 'failed ones not counted yet'
    : `${failed} failed${failing_sites ? `, from ${countWords(failing_sites, 'site')}` : ''}`

function siteWords({ host, failed, latest_error, rests_until }: FailingSite, now: Date): string {
  const rests = rests_until && `It asked to be left alone; we try again ${relativeWords(rests_until, now)}.`
  return [`${host}: ${failed} failed.`, latest_error, rests].filter(Boolean).join(' ')
}
