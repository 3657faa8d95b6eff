/** One import of a list of channels: its title and its progress. */
import type { PageContext } from '../ui/context.ts'
import { Layout } from '../ui/layout.tsx'
import { Ago } from '../ui/times.tsx'
import { type ImportProps, importTitle, Progress, Ticker } from './import-progress.tsx'

export const ImportPage = ({ page, imported, lines }: ImportProps & { page: PageContext }) => (
  <Layout page={page} title={importTitle(imported)}>
    <header class="heading">
      <h1>{importTitle(imported)}</h1>
      <p class="quiet">
        Imported <Ago at={imported.created_at} now={page.now} /> · <a href="/import">Import or export</a>
      </p>
    </header>
    <Progress imported={imported} lines={lines} />
    <Ticker imported={imported} />
  </Layout>
)
