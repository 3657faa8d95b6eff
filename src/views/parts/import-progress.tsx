/** One list of channels, and how far it is worked through. */
import type { Import, ImportLine, LineOutcome, ListKind } from '../../schema/import.ts'
import { Button } from './forms.tsx'
import { channelPath, countWords, webUrl } from './words.ts'

export type ImportProps = { imported: Import; lines: ImportLine[] }

/** The answer to a poll. What has not changed keeps its focus; once all is done, nothing asks any longer. */
export const ImportChanged = ({ imported, lines }: ImportProps) => (
  <>
    <hx-partial hx-target="#import" hx-swap="outerMorph">
      <Progress imported={imported} lines={lines} />
    </hx-partial>
    {imported.finished_at && (
      <hx-partial hx-target="#ticker" hx-swap="outerHTML">
        <Ticker imported={imported} />
      </hx-partial>
    )}
  </>
)

export const Ticker = ({ imported }: { imported: Import }) =>
  imported.finished_at ? (
    <div id="ticker"></div>
  ) : (
    <div id="ticker" hx-get={importPath(imported)} hx-trigger="every 2s" hx-swap="none"></div>
  )

export const Progress = ({ imported, lines }: ImportProps) => (
  <section id="import" class="import">
    <p role="status">{summary(imported)}</p>
    <PassedOver count={imported.passed_over} />
    {!imported.finished_at && (
      <progress value={imported.total - imported.waiting} max={imported.total} aria-label="How far the list is">
        {imported.total - imported.waiting} of {imported.total}
      </progress>
    )}
    {imported.finished_at && imported.failed > 0 && (
      <form method="post" action={`${importPath(imported)}/retry`}>
        <Button busy="Trying…">Try the failed ones again</Button>
      </form>
    )}
    <Lines lines={lines} />
    {imported.total > lines.length && (
      <p class="quiet">
        And {countWords(imported.total - lines.length, 'more line', 'more lines')} that are not shown.
      </p>
    )}
  </section>
)

const PassedOver = ({ count }: { count: number }) =>
  count > 0 && (
    <p class="quiet">
      {countWords(count, 'line')} {count === 1 ? 'names' : 'name'} no channel.
    </p>
  )

const Lines = ({ lines }: { lines: ImportLine[] }) => (
  <table class="lines">
    <thead>
      <tr>
        <th scope="col">Channel</th>
        <th scope="col">What became of it</th>
      </tr>
    </thead>
    <tbody>
      {lines.map(line => (
        <tr class={line.outcome}>
          <td>
            <Named line={line} />
          </td>
          <td>{line.message ?? outcome_words[line.outcome]}</td>
        </tr>
      ))}
    </tbody>
  </table>
)

const Named = ({ line }: { line: ImportLine }) => {
  const href = line.channel_id === null ? webUrl(line.address) : channelPath({ channel_id: line.channel_id })
  const name = line.title ?? line.address
  return href ? (
    <a href={href} rel={line.channel_id === null ? 'noreferrer' : undefined}>
      {name}
    </a>
  ) : (
    <span>{name}</span>
  )
}

const outcome_words: Record<LineOutcome, string> = {
  waiting: 'Waiting',
  added: 'You follow it now',
  already: 'You followed it already',
  failed: 'Could not be followed',
}

/** "412 of 1,000 · 380 new · 20 followed already · 12 failed": what there is none of is not said. */
export const summary = ({ total, waiting, added, already, failed, finished_at }: Import): string =>
  [
    finished_at
      ? countWords(total, 'line')
      : `${(total - waiting).toLocaleString('en')} of ${total.toLocaleString('en')}`,
    added > 0 && `${added.toLocaleString('en')} new`,
    already > 0 && `${already.toLocaleString('en')} followed already`,
    failed > 0 && `${failed.toLocaleString('en')} failed`,
  ]
    .filter(Boolean)
    .join(' · ')

export const importPath = ({ import_id }: Pick<Import, 'import_id'>) => `/import/${encodeURIComponent(import_id)}`

const titles: Record<ListKind, string> = {
  opml: 'OPML list',
  takeout: 'YouTube subscriptions',
  newpipe: 'NewPipe subscriptions',
  freetube: 'FreeTube subscriptions',
  json: 'List from another app',
  addresses: 'Pasted list',
}
export const importTitle = ({ kind }: Pick<Import, 'kind'>) => titles[kind]
