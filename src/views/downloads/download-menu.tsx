/**
 * The menu that downloads many videos at once. The figures are fetched when it opens, because counting all videos of a person takes
 * longer than the page. Without a script its buttons work all the same: many videos are asked about first.
 */
import { newest_count, type ScopeOf, type ScopeOutlook, Which } from '../../schema/downloads/scope.ts'
import { Icon } from '../ui/icon.tsx'
import { pathWith } from '../ui/paths.ts'
import { bytesWords, numberWords } from '../ui/words.ts'

/** `main`: the primary button of the page. */
type MenuProps = { of: ScopeOf; kind?: 'main' | 'plain' }

export const DownloadMenu = ({ of, kind = 'plain' }: MenuProps) => (
  <details
    class="menu downloads-menu"
    hx-get={outlookPath(of)}
    hx-trigger="toggle once"
    hx-target={`#${scopes_id}`}
    hx-select={`#${scopes_id}`}
    hx-swap="outerMorph"
  >
    <summary class={`button ${kind}`}>
      Download… <Icon name="chevron" />
    </summary>
    <div class="panel">
      <Scopes of={of} />
    </div>
  </details>
)

const scopes_id = 'scopes'
const outlookPath = (of: ScopeOf): string => pathWith('/downloads/outlook', of)

/** `outlook`: absent until it is known. Its place is kept, so that nothing moves. */
export const Scopes = ({ of, outlook }: { of: ScopeOf; outlook?: ScopeOutlook }) => (
  <form class="scopes" id={scopes_id} method="post" action="/downloads/scope">
    {of.channel_id === undefined ? (
      <p class="quiet">From all channels, whatever is shown</p>
    ) : (
      <input type="hidden" name="channel_id" value={of.channel_id} />
    )}
    {Which.options.map(which => (
      <button type="submit" class="item" name="which" value={which} disabled={outlook?.[which].count === 0}>
        <span>{scope_names[which]}</span>
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
