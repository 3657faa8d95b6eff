/** How far an import is. The result of each line is in `import-lines.tsx`. */
import type { Import, ImportLine, ListKind } from '../../schema/imports/import.ts'
import { Button } from '../ui/forms.tsx'
import { countWords, numberWords } from '../ui/words.ts'
import { Lines } from './import-lines.tsx'
import { contentSummary, ImportedContent } from './imported-content.tsx'

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
    <p role="status">{capitalized(summary(imported))}</p>
    <PassedOver count={imported.passed_over} />
    {!imported.finished_at && <Bar {...progressOf(imported)} />}
    {!imported.finished_at && (
      <noscript>
        <p class="quiet">
          The import runs in the background. <a href={importPath(imported)}>Show its progress now</a>
        </p>
      </noscript>
    )}
    {imported.content && <ImportedContent imported={imported} content={imported.content} />}
    {imported.finished_at && imported.added > 0 && (
      <p>
        <a class="button main" href="/">
          See what is new
        </a>
      </p>
    )}
    {imported.finished_at && imported.failed > 0 && (
      <form method="post" action={`${importPath(imported)}/retry`}>
        <Button busy="Retrying…">Retry failed</Button>
      </form>
    )}
    {(lines.length > 0 || !imported.content) && <Lines lines={lines} />}
    {imported.total > lines.length && (
      <p class="quiet">{countWords(imported.total - lines.length, 'more line', 'more lines')} not shown.</p>
    )}
  </section>
)

const Bar = ({ done, of }: { done: number; of: number }) => (
  <progress value={done} max={of} aria-label="Import progress">
    {done} of {of}
  </progress>
)

const PassedOver = ({ count }: { count: number }) =>
  count > 0 && (
    <p class="quiet">
      {countWords(count, 'line')} skipped: no channel found in {count === 1 ? 'it' : 'them'}.
    </p>
  )

/** Lines and other items together. */
const progressOf = ({ total, waiting, content }: Import) => ({
  done: total - waiting + (content?.done ?? 0),
  of: total + (content?.items ?? 0),
})

/** "412 of 1,000 done, 380 added, 20 already followed, 12 failed", without the counts that are zero. */
export const summary = (imported: Import): string => {
  const { added, already, failed, finished_at, content } = imported
  const { done, of } = progressOf(imported)
  return [
    (!finished_at || of === 0) && `${numberWords(done)} of ${numberWords(of)} done`,
    added > 0 && `${numberWords(added)} added`,
    already > 0 && `${numberWords(already)} already followed`,
    failed > 0 && `${numberWords(failed)} failed`,
    finished_at && content && contentSummary(content),
  ]
    .filter(Boolean)
    .join(', ')
}

const capitalized = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)

export const importPath = ({ import_id }: Pick<Import, 'import_id'>) => `/import/${encodeURIComponent(import_id)}`

const titles: Record<ListKind, string> = {
  opml: 'OPML list',
  takeout: 'YouTube subscriptions',
  newpipe: 'NewPipe subscriptions',
  freetube: 'FreeTube subscriptions',
  json: 'List from another app',
  addresses: 'Pasted list',
  history: 'Watch history',
  archive: 'Backlot archive',
}
export const importTitle = ({ kind }: Pick<Import, 'kind'>) => titles[kind]
