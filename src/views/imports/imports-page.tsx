/** The page that imports a list of channels and exports the followed ones. */
import { file_too_large, type Import, max_file_bytes } from '../../schema/imports/import.ts'
import type { PageContext } from '../ui/context.ts'
import { Button } from '../ui/forms.tsx'
import { Layout } from '../ui/layout.tsx'
import { Ago } from '../ui/times.tsx'
import { importPath, importTitle, summary } from './import-page.tsx'

type ImportsProps = { page: PageContext; recent: Import[]; text: string; error?: string | undefined }

export const ImportsPage = ({ page, recent, text, error }: ImportsProps) => (
  <Layout page={page} title="Import or export">
    <header class="heading">
      <h1>Import or export</h1>
    </header>
    <ImportForm text={text} error={error} />
    {recent.length > 0 && (
      <section class="group">
        <h2>Recent imports</h2>
        <ul class="rows">
          {recent.map(imported => (
            <li class="row">
              <div class="about">
                <h3 class="title">
                  <a href={importPath(imported)}>{importTitle(imported)}</a>
                </h3>
                <p class="quiet">
                  <Ago at={imported.created_at} now={page.now} /> · {summary(imported)}
                </p>
              </div>
            </li>
          ))}
        </ul>
      </section>
    )}
    <section class="group">
      <h2>Export everything</h2>
      <p>
        One file with your settings, channels and rules, all videos, what you watched, positions and pins. Another
        Backlot takes it in with the form above. Downloaded files are not in it.
      </p>
      <p class="actions">
        <a class="button plain" href="/api/archive" download>
          Export everything
        </a>
      </p>
    </section>
    <section class="group">
      <h2>Export your channels</h2>
      <p>Use them in another app or another Backlot.</p>
      <p class="actions">
        <ExportLinks />
      </p>
    </section>
  </Layout>
)

const ImportForm = ({ text, error }: { text: string; error: string | undefined }) => (
  <form class="card add" method="post" action="/import" enctype="multipart/form-data">
    <p>
      Import subscriptions from another app: OPML from any feed reader, the ZIP file from Google Takeout, or an export
      from NewPipe, FreeTube, Invidious, Tube Archivist, Miniflux or another Backlot.
    </p>
    <p>
      A watch history from Google Takeout, FreeTube, NewPipe, LibreTube, Piped or Invidious marks its videos as watched,
      also those that appear later. A file from “Export everything” brings everything back.
    </p>
    <div class="field">
      <label for="file">File (up to {max_file_bytes / 1024 / 1024} MB)</label>
      <input
        id="file"
        name="file"
        type="file"
        accept=".zip,.opml,.xml,.csv,.json,.jsonl,.db,.html,.txt,.gz,.tgz"
        data-most-bytes={max_file_bytes}
        data-too-large={file_too_large}
      />
    </div>
    <div class="field">
      <label for="text">Or paste links</label>
      <textarea
        id="text"
        name="text"
        rows={6}
        spellcheck={false}
        aria-invalid={error ? 'true' : undefined}
        aria-describedby={error ? 'text-error' : undefined}
      >
        {text}
      </textarea>
      {error && (
        <p class="fault" id="text-error">
          {error}
        </p>
      )}
    </div>
    <label class="checkbox">
      <input type="checkbox" name="downloads" value="true" />
      From a Backlot archive, also download again what was downloaded there
    </label>
    <div>
      <Button kind="main" busy="Reading…">
        Import
      </Button>
    </div>
  </form>
)

export const ExportLinks = () => (
  <>
    <a class="button plain" href="/export.opml" download>
      Export as OPML
    </a>{' '}
    <a class="button plain" href="/export.json" download>
      Export as JSON
    </a>
  </>
)
