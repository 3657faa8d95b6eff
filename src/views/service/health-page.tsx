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
    <Facts facts={factsOf(health, page.now)} />
    {ownFacts(health).length > 0 && (
      <section class="group">
        <h2>Yours</h2>
        <Facts facts={ownFacts(health)} />
      </section>
    )}
    {health.sites.length > 0 && (
      <section class="group">
        <h2>
          <a href="/downloads?show=failed">Failed downloads</a>
        </h2>
        <ul>
          {health.sites.map(site => (
            <SiteRow site={site} now={page.now} />
          ))}
        </ul>
      </section>
    )}
  </Layout>
)

type Fact = [name: string, value: string]

const Facts = ({ facts }: { facts: Fact[] }) => (
  <dl class="facts-list">
    {facts.map(([name, value]) => (
      <>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </>
    ))}
  </dl>
)

/** Shows the text between backticks as code. */
const withCode = (warning: string) =>
  warning.split('`').map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))

/** What concerns all people. */
function factsOf(health: Health, now: Date): Fact[] {
  const { workers, ytdlp, renewal, ffmpeg, javascript, pushed_feeds, pictures, disk } = health
  const unknown = 'Not found yet'
  return [
    ['Workers', workers === 0 ? 'None' : `${workers} running`],
    ['yt-dlp', ytdlp ? ytdlpWords(ytdlp) : unknown],
    ...(renewal ? renewalFacts(renewal, now) : []),
    ['ffmpeg', ffmpeg?.version ?? unknown],
    ['JavaScript for yt-dlp', javascript ?? unknown],
    ...(pushed_feeds > 0 ? [['Push', countWords(pushed_feeds, 'feed')] satisfies Fact] : []),
    ...picturesFacts(pictures),
    ['Free disk space', disk ? bytesWords(disk.free_bytes) : 'Unknown'],
  ]
}

/** The person's own downloads; empty: none runs, waits or failed, and nothing was deleted. */
function ownFacts({ queue, disk }: Health): Fact[] {
  const { running, waiting, failed, failing_sites, oldest_waiting_seconds } = queue
  const from = failing_sites > 1 ? `, from ${countWords(failing_sites, 'site')}` : ''
  const has_downloads = running + waiting + failed > 0
  return [
    ...(has_downloads
      ? [['Downloads', `${running} running · ${waiting} queued · ${failed} failed${from}`] satisfies Fact]
      : []),
    ...(oldest_waiting_seconds !== null
      ? [['Longest queued', secondsWords(oldest_waiting_seconds)] satisfies Fact]
      : []),
    ...(disk?.bin_bytes ? [['Recently deleted', bytesWords(disk.bin_bytes)] satisfies Fact] : []),
  ]
}

/** Nothing when all are stored. */
function picturesFacts({ waiting, given_up }: Health['pictures']): Fact[] {
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
function renewalFacts(renewal: RenewalReport, now: Date): Fact[] {
  const { channel, previous, checked_at, outcome, problem, rolled_back } = renewal
  const checked = checked_at
    ? `${relativeWords(new Date(checked_at), now)}: ${outcome ? outcomes[outcome] : ''}`
    : 'not yet'
  return [
    ['Checked for yt-dlp updates', `${checked} (${channel} releases)`],
    ...(previous ? [['Previous yt-dlp', `${previous}, kept`] as Fact] : []),
    ...(problem ? [['Could not update from', problem] as Fact] : []),
    ...(rolled_back ? [['Rolled back', rollBackWords(rolled_back, now)] as Fact] : []),
  ]
}

const rollBackWords = ({ from, to, at, why }: NonNullable<RenewalReport['rolled_back']>, now: Date) =>
  `${from} to ${to}, ${relativeWords(new Date(at), now)}: ${why}`

const daysWords = (days: number) => (days <= 0 ? 'released today' : `${countWords(days, 'day')} old`)

/** "youtube.com: 2 (members only, bot check)". What waits for a further attempt is not failed. */
const SiteRow = ({ site, now }: { site: FailingSite; now: Date }) => (
  <li>
    <bdi>{site.host}</bdi>: {site.failed === 0 ? 'trying again' : site.failed}
    {site.reasons.length > 0 && ` (${site.reasons.map(reasonWords).join(', ')})`}
    {site.rests_until && (
      <>
        . Paused, resumes <Planned at={site.rests_until} now={now} />
      </>
    )}
  </li>
)

const reasonWords = (reason: string) => reason_names[reason] ?? reason.replaceAll('_', ' ')
const reason_names: Record<string, string> = {
  members: 'members only',
  geography: 'not available here',
  unavailable: 'not available',
  silent: 'no data',
  no_room: 'disk full',
}

/** Facts about videos, such as “members only”, say nothing about their site. */
const isLimiting = ({ reasons, rests_until }: FailingSite) =>
  rests_until !== null || reasons.some(reason => reason === 'bot_check' || reason === 'rate_limited')

function fineWords({ sites, queue }: Health): string {
  const limiting = sites.filter(isLimiting).map(({ host }) => host)
  if (limiting.length > 0) {
    const are = limiting.length === 1 ? 'is' : 'are'
    return `Backlot is working, but ${limiting.join(', ')} ${are} limiting downloads.`
  }
  if (queue.failed > 0) return `Backlot is working. ${countWords(queue.failed, 'download')} of yours failed.`
  return 'All systems working.'
}
