/** The frame of every page: head, navigation, messages and content. */
import { raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import type { PlayList } from '../../schema/videos/play-list.ts'
import { assetPath } from './asset.ts'
import type { PageContext } from './context.ts'
import { DropFile } from './drop-file.tsx'
import { FlashMessages } from './flash.tsx'
import { Head } from './head.tsx'
import { KeysDialog } from './keys.tsx'
import { type ColumnProps, LibraryColumn } from './library-column.tsx'
import { SignedIn, SignedOut } from './navigation.tsx'

type LayoutProps = {
  page: PageContext
  title: string
  /** The list of videos that the page shows, which its links to them then name (`cards.js`). */
  list?: PlayList
  /** Scripts that only some pages need, in the order in which they run. */
  scripts?: readonly string[]
  /** Beside the content where there is room. Not shown to a person who follows nothing. */
  column?: ColumnProps | undefined
  children?: Child
}

export const Layout = ({ page, title, list, scripts = [], column, children }: LayoutProps) => (
  <>
    {raw('<!doctype html>')}
    <html lang="en" data-theme={page.theme} data-keys={page.keyboard_shortcuts ? undefined : 'off'}>
      <Head page={page} title={title} scripts={scripts} />
      <body>
        <a class="skip" href="#main">
          Skip to content
        </a>
        <header class="top">
          <a class="brand" href="/">
            <img src={assetPath(page, 'icon.svg')} alt="" width="24" height="24" />
            <span>Backlot</span>
          </a>
          {page.user ? <SignedIn page={page} username={page.user.username} /> : <SignedOut page={page} />}
        </header>
        <div id="flash" role="status" aria-live="polite">
          <FlashMessages flash={page.flash} />
        </div>
        {/* `polling.js` says here what has finished or failed. */}
        <div id="announced" class="spoken" role="status"></div>
        {column && column.shown.channels.length > 0 ? (
          <div class="beside-column">
            <LibraryColumn {...column} />
            <main id="main" data-list={list}>
              {children}
            </main>
          </div>
        ) : (
          <main id="main" data-list={list}>
            {children}
          </main>
        )}
        {page.user && <DropFile />}
        {page.user && <KeysDialog scripts={scripts} />}
        <div id="end" hidden></div>
      </body>
    </html>
  </>
)
