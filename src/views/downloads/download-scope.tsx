/** Which videos to download at once, where no script opens the menu; and the question before many of them are queued. */
import {
  most_at_once,
  type Scope,
  type ScopeOf,
  type ScopeOutlook,
  type ScopeQuestion,
} from '../../schema/downloads/scope.ts'
import type { PageContext } from '../ui/context.ts'
import { Button } from '../ui/forms.tsx'
import { Layout } from '../ui/layout.tsx'
import { channelPath } from '../ui/paths.ts'
import { bytesWords, countWords, numberWords } from '../ui/words.ts'
import { Scopes } from './download-menu.tsx'

/** The page that a scope belongs to: the one with its menu. */
export const scopePath = ({ channel_id }: ScopeOf): string =>
  channel_id === undefined ? '/' : channelPath({ channel_id })

export const ScopesPage = ({ page, of, outlook }: { page: PageContext; of: ScopeOf; outlook: ScopeOutlook }) => (
  <Layout page={page} title="Download">
    <section class="card narrow">
      <h1>Download…</h1>
      <Scopes of={of} outlook={outlook} />
      <a class="button plain" href={scopePath(of)}>
        Cancel
      </a>
    </section>
  </Layout>
)

export const ScopeQuestionPage = ({
  page,
  scope,
  question,
}: {
  page: PageContext
  scope: Scope
  question: ScopeQuestion
}) => {
  const { count, bytes } = question
  const videos = countWords(Math.min(count, most_at_once), 'video')
  return (
    <Layout page={page} title="Download">
      <form class="card narrow" method="post" action="/downloads/scope">
        <h1>
          Download {countWords(count, 'video')}, about {bytesWords(bytes)}?
        </h1>
        <p>
          {roomWords(question)} The newest are downloaded first.
          {count > most_at_once &&
            ` At most ${numberWords(most_at_once)} are queued at once; press Download again for the rest.`}
        </p>
        <input type="hidden" name="which" value={scope.which} />
        {scope.channel_id !== undefined && <input type="hidden" name="channel_id" value={scope.channel_id} />}
        <input type="hidden" name="confirmed" value="on" />
        <div class="actions">
          <Button kind="main" busy="Queuing…">
            Download {videos}
          </Button>
          <a class="button plain" href={scopePath(scope)}>
            Cancel
          </a>
        </div>
      </form>
    </Layout>
  )
}

/** "120 GB are free." */
function roomWords({ bytes, free_bytes, quota_left }: ScopeQuestion): string {
  const is_quota = quota_left !== null && (free_bytes === null || quota_left <= free_bytes)
  const room = is_quota ? quota_left : free_bytes
  if (room === null) return ''
  const free = is_quota ? `You have ${bytesWords(room)} of your quota left.` : `${bytesWords(room)} are free.`
  return bytes > room ? `${free} Downloads stop when that is used up.` : free
}
