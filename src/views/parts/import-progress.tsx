/** How far an import is, and the result of each line. */
import type { Import, ImportLine, LineOutcome, ListKind } from '../../schema/import.ts'
import { Button } from './forms.tsx'
import { channelPath, countWords, numberWords, webUrl } from './words.ts'

export type ImportProps = { imported: Import; lines: ImportLine[] }

/** The answer to a poll. It is morphed, so that focus stays; once the import is finished, polling stops. */
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
      <progress value={imported.total - imported.waiting} max={imported.total} aria-label="Import progress">
        {imported.total - imported.waiting} of {imported.total}
      </progress>
    )}
    {imported.finished_at && imported.failed > 0 && (
      <form method="post" action={`${importPath(imported)}/retry`}>
        <Button busy="Retrying…">Retry failed</Button>
      </form>
    )}
    <Lines lines={lines} />
    {imported.total > lines.length && (
      <p class="quiet">{countWords(imported.total - lines.length, 'more line', 'more lines')} not shown.</p>
    )}
  </section>
)

const PassedOver = ({ count }: { count: number }) =>
  count > 0 && (
    <p class="quiet">
      {countWords(count, 'line')} skipped: no channel found in {count === 1 ? 'it' : 'them'}.
    </p>
  )

const Lines = ({ lines }: { lines: ImportLine[] }) => (
  <table class="lines">
    <thead>
      <tr>
        <th scope="col">Channel</th>
        <th scope="col">Result</th>
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
  added: 'Added',
  already: 'Already followed',
  failed: 'Could not be added',
}

/** "412 of 1,000 done, 380 added, 20 already followed, 12 failed", without the counts that are zero. */
export const summary = ({ total, waiting, added, already, failed, finished_at }: Import): string =>
  [
    (!finished_at || total === 0) && `${numberWords(total - waiting)} of ${numberWords(total)} done`,
    added > 0 && `${numberWords(added)} added`,
    already > 0 && `${numberWords(already)} already followed`,
    failed > 0 && `${numberWords(failed)} failed`,
  ]
    .filter(Boolean)
    .join(', ')

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
