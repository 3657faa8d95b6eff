/** How the service is doing, for whoever runs it and for everybody who wonders why nothing comes. */
import type { FailingSite, Health } from '../schema/health.ts'
import type { PageContext } from './context.ts'
import { Layout } from './layout.tsx'
import { bytesWords, countWords, durationWords, relativeWords } from './words.ts'

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
      {factsOf(health).map(([name, value]) => (
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

function factsOf({ workers, ytdlp, ffmpeg, javascript, queue, disk }: Health): [string, string][] {
  const unknown = 'Not found yet'
  return [
    ['Workers', workers === 0 ? 'None is running' : `${workers} running`],
    ['yt-dlp', ytdlp ? `${ytdlp.version}${ytdlp.age_days === null ? '' : `, ${daysWords(ytdlp.age_days)}`}` : unknown],
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

const daysWords = (days: number) => (days <= 0 ? 'released today' : `${countWords(days, 'day')} old`)

const failedWords = ({ failed, failing_sites }: Health['queue']) =>
  failed === null
    ? 'failed ones not counted yet'
    : `${failed} failed${failing_sites ? `, from ${countWords(failing_sites, 'site')}` : ''}`

function siteWords({ host, failed, latest_error, rests_until }: FailingSite, now: Date): string {
  const rests = rests_until && `It asked to be left alone; we try again ${relativeWords(rests_until, now)}.`
  return [`${host}: ${failed} failed.`, latest_error, rests].filter(Boolean).join(' ')
}
