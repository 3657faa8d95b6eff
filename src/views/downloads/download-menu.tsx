/**
 * The menu that downloads many videos at once. The figures are fetched when it opens, because counting all videos of a person takes
 * longer than the page. Without a script its buttons work all the same: many videos are asked about first.
 */
import {
  max_downloads_per_request,
  newest_count,
  type Scope,
  type ScopeOf,
  type ScopeOutlook,
  type ScopeQuestion,
  Which,
} from '../../schema/downloads/download-api.ts'
import { channelPath, pathWith } from '../../schema/http/paths.ts'
import { bytesWords, countWords, numberWords } from '../../schema/values/words.ts'
import type { PageContext } from '../frames/context.ts'
import { Layout } from '../frames/layout.tsx'
import { ActOrCancel, Hidden } from '../ui/forms.tsx'
import { Icon } from '../ui/icon.tsx'

/** `kind`: `main` is the primary button of the page. */
type MenuProps = Omit<ScopesProps, 'outlook'> & { kind?: 'main' | 'plain' }

export const DownloadMenu = ({ of, known, kind = 'plain' }: MenuProps) => (
  <details class="menu downloads-menu" {...fetchingOutlook(of)}>
    <summary class={`button ${kind}`}>
      Download… <Icon name="chevron" />
    </summary>
    <div class="panel">
      <Scopes of={of} known={known} />
    </div>
  </details>
)

/** In a menu: the choices open below the item. */
export const DownloadFold = ({ of }: { of: ScopeOf }) => (
  <details class="ask" {...fetchingOutlook(of)}>
    <summary class="item">
      Download… <Icon name="chevron" />
    </summary>
    <Scopes of={of} />
  </details>
)

const fetchingOutlook = (of: ScopeOf) => ({
  'hx-get': outlookPath(of),
  'hx-trigger': 'toggle once',
  'hx-target': `#${scopes_id}`,
  'hx-select': `#${scopes_id}`,
  'hx-swap': 'outerMorph',
})

const scopes_id = 'scopes'
const outlookPath = (of: ScopeOf): string => pathWith('/downloads/outlook', of)

type ScopesProps = {
  of: ScopeOf
  /** Absent until it is known. Its place is kept, so that nothing moves. */
  outlook?: ScopeOutlook
  /** How many videos of the channel are known, if there may be more. */
  known?: number | undefined
}

export const Scopes = ({ of, outlook, known }: ScopesProps) => (
  <form class="scopes" id={scopes_id} method="post" action="/downloads/scope">
    {of.channel_id === undefined ? (
      <p class="quiet">From all channels, whatever is shown</p>
    ) : (
      <input type="hidden" name="channel_id" value={of.channel_id} />
    )}
    {Which.options.map(which => (
      <button type="submit" class="item" name="which" value={which} disabled={outlook?.[which].count === 0}>
        <span>
          {scope_names[which]}
          {which === 'all' && known !== undefined && <span class="hint"> {numberWords(known)} known so far</span>}
        </span>
        <span class="amount">{outlook && sizeWords(outlook[which])}</span>
      </button>
    ))}
  </form>
)

const scope_names = {
  newest: `Newest ${newest_count}`,
  unwatched: 'Unwatched',
  year: 'This year',
  all: 'Everything',
} satisfies Record<Which, string>

/** "842 · about 310 GB". */
const sizeWords = ({ count, bytes }: { count: number; bytes: number }) =>
  count === 0 ? '0' : `${numberWords(count)} · about ${bytesWords(bytes)}`

/** The page that a scope belongs to: the one with its menu. */
export const scopePath = ({ channel_id }: ScopeOf): string =>
  channel_id === undefined ? '/' : channelPath({ channel_id })

/** The choices on a page of their own, where no script opens the menu. */
export const ScopesPage = ({ page, ...scopes }: ScopesProps & { page: PageContext }) => (
  <Layout page={page} title="Download">
    <section class="card narrow">
      <h1>Download…</h1>
      <Scopes {...scopes} />
      <a class="button plain" href={scopePath(scopes.of)}>
        Cancel
      </a>
    </section>
  </Layout>
)

type QuestionProps = { page: PageContext; scope: Scope; question: ScopeQuestion }

/** The question before many videos are queued. */
export const ScopeQuestionPage = ({ page, scope, question }: QuestionProps) => {
  const { count, bytes } = question
  const videos = countWords(Math.min(count, max_downloads_per_request), 'video')
  return (
    <Layout page={page} title="Download">
      <form class="card narrow" method="post" action="/downloads/scope">
        <h1>
          Download {countWords(count, 'video')}, about {bytesWords(bytes)}?
        </h1>
        <p>
          {roomWords(question)} The newest are downloaded first.
          {count > max_downloads_per_request &&
            ` At most ${numberWords(max_downloads_per_request)} are queued at once; press Download again for the rest.`}
        </p>
        <Hidden fields={{ which: scope.which, channel_id: scope.channel_id, confirmed: 'on' }} />
        <ActOrCancel kind="main" busy="Queuing…" back={scopePath(scope)}>
          Download {videos}
        </ActOrCancel>
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
