/** The page that imports a list of channels, a watch history or an archive. */
import { guideAddress } from '../../schema/http/paths.ts'
import { archive_format } from '../../schema/imports/archive.ts'
import { file_too_large, type Import, max_file_bytes } from '../../schema/imports/import.ts'
import type { PageContext } from '../frames/context.ts'
import { Heading, Layout } from '../frames/layout.tsx'
import { MainButton } from '../ui/forms.tsx'
import { About } from '../ui/lists.tsx'
import { Ago } from '../ui/times.tsx'
import { importPath, importTitle, summary } from './import-page.tsx'

type ImportsProps = { page: PageContext; recent: Import[]; text: string; error?: string | undefined }

export const ImportsPage = ({ page, recent, text, error }: ImportsProps) => (
  <Layout page={page} title="Import">
    <Heading title="Import" />
    <ImportForm text={text} error={error} />
    {recent.length > 0 && (
      <section class="group">
        <h2>Recent imports</h2>
        <ul class="rows">
          {recent.map(imported => (
            <li class="row">
              <About heading="h3" title={<a href={importPath(imported)}>{importTitle(imported)}</a>}>
                <Ago at={imported.created_at} now={page.now} /> · {summary(imported)}
              </About>
            </li>
          ))}
        </ul>
      </section>
    )}
    <p class="quiet lead">
      <a href="/settings/import">Export your channels or everything</a>
    </p>
  </Layout>
)

const ImportForm = ({ text, error }: { text: string; error: string | undefined }) => (
  <form class="card add importing" method="post" action="/import" enctype="multipart/form-data">
    <p>Import your subscriptions from another app. Import your watch history too: those videos will show as watched.</p>
    <div class="zone">
      <label for="file">Drop a file here, or choose one</label>
      <input
        id="file"
        name="file"
        type="file"
        accept=".zip,.opml,.xml,.csv,.json,.jsonl,.db,.html,.txt,.gz,.tgz,.m3u,.m3u8,.xspf,.webloc"
        data-most-bytes={max_file_bytes}
        data-too-large={file_too_large}
        data-archive={archive_format}
      />
    </div>
    <label class="checkbox of-archive">
      <input type="checkbox" name="downloads" value="true" />
      <span>
        Also download the files again <span class="quiet unscripted">(of a Backlot archive)</span>
      </span>
    </label>
    <Takeout />
    <WorksWith />
    <PastedLinks text={text} error={error} />
    <div>
      <MainButton busy="Reading…">Import</MainButton>
    </div>
  </form>
)

const Takeout = () => (
  <details>
    <summary>How to get your subscriptions from YouTube</summary>
    <ol>
      <li>
        Open <a href="https://takeout.google.com/">Google Takeout</a>, press Deselect all, and select YouTube and
        YouTube Music.
      </li>
      <li>Press All YouTube data included, keep subscriptions and history, and create the export.</li>
      <li>When the ZIP file arrives by e-mail, drop it here as it is.</li>
    </ol>
  </details>
)

const WorksWith = () => (
  <details>
    <summary>Works with…</summary>
    <ul>
      <li>
        Subscriptions: Google Takeout, OPML of any feed reader, NewPipe, FreeTube, Grayjay, Invidious, Miniflux,
        bookmarks
      </li>
      <li>Watch history: Google Takeout, FreeTube, NewPipe, Grayjay, LibreTube, Piped, Invidious</li>
      <li>Everything: the archive of another Backlot</li>
      <li>
        Channels and files:{' '}
        <a href={guideAddress('from-others')}>Tube Archivist, Pinchflat, TubeSync, YoutubeDL-Material</a>
      </li>
      <li>Files of up to {max_file_bytes / 1024 / 1024} MB</li>
    </ul>
  </details>
)

const PastedLinks = ({ text, error }: { text: string; error: string | undefined }) => (
  <details open={text !== '' || error !== undefined}>
    <summary>Paste links instead</summary>
    <div class="field">
      <label for="text">Links of channels, one per line</label>
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
  </details>
)
