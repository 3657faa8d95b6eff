/** The frame of every page: head with scripts, navigation, flashes and content; with a page for errors. */
import { raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import type { Theme } from '../../schema/account/account.ts'
import { everything_path } from '../../schema/http/paths.ts'
import { file_too_large, max_file_bytes } from '../../schema/imports/import.ts'
import type { SearchOf } from '../../schema/search/saved-search.ts'
import type { PlayList } from '../../schema/watching/viewing.ts'
import { assetPath, type PageContext, type Versions } from './context.ts'
import { FlashMessages } from './flash-messages.tsx'
import { type ColumnProps, LibraryColumn } from './library-column.tsx'
import { KeysDialog, SignedIn, SignedOut } from './navigation.tsx'
import { remembered } from './remembered.ts'

type LayoutProps = {
  page: PageContext
  title: string
  /** The list of videos that the page shows, which its links to them then name (`page/lists.js`). */
  list?: PlayList
  /** Modules that only some pages need, in the order in which they run. */
  scripts?: readonly string[]
  /** Beside the content where there is room. Not shown to a person who follows nothing. */
  column?: ColumnProps | undefined
  /** What the search page shows. */
  searched?: SearchOf
  children?: Child
}

export const Layout = ({ page, title, list, scripts = [], column, searched, children }: LayoutProps) => (
  <>
    {raw('<!doctype html>')}
    <html lang="en" data-theme={page.theme} data-keys={page.keyboard_shortcuts ? undefined : 'off'}>
      <Head page={page} is_signed_in={page.user !== null} title={title} scripts={scripts} />
      <body>
        <a class="skip" href="#main">
          Skip to content
        </a>
        <header class="top">
          <a class="brand" href={everything_path}>
            <img src={assetPath(page, 'icon.svg')} alt="" width="24" height="24" />
            <span class={page.user ? 'spoken-on-phone' : undefined}>Backlot</span>
          </a>
          {page.user ? <SignedIn page={page} user={page.user} searched={searched} /> : <SignedOut page={page} />}
        </header>
        <div id="flash" role="status" aria-live="polite">
          <FlashMessages flash={page.flash} />
        </div>
        {/* `page/polling.js` says here what has finished or failed. */}
        <div id="announced" class="spoken" role="status"></div>
        {column && page.follows_any ? (
          <div class="beside-column">
            <main id="main" data-list={list}>
              {children}
            </main>
            <LibraryColumn {...column} is_open={page.channels_open} />
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

/** The title of a page, and a line below it. */
export const Heading = ({ title, children }: { title: Child; children?: Child }) => (
  <header class="heading">
    <h1>{title}</h1>
    {children && <p class="quiet">{children}</p>}
  </header>
)

type HeadProps = {
  page: Pick<PageContext, 'versions' | 'theme'>
  is_signed_in: boolean
  title: string
  scripts: readonly string[]
}

/** Title, stylesheet, scripts, icons and the settings of htmx. */
const Head = ({ page, is_signed_in, title, scripts }: HeadProps) => (
  <head>
    <meta charset="utf-8" />
    <title>{`${title} · Backlot`}</title>
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
    <meta name="color-scheme" content={page.theme === 'system' ? 'light dark' : page.theme} />
    <meta name="referrer" content="same-origin" />
    <meta name="htmx-config" content={htmx_config} />
    <link rel="stylesheet" href={assetPath(page, 'backlot.css')} />
    <ShownWhenParsed />
    <Scripts page={page} modules={[...modules_of_every_page, ...(is_signed_in ? modules_of_people : []), ...scripts]} />
    {page.theme !== 'dark' && <ThemeColor theme={page.theme} scheme="light" />}
    {page.theme !== 'light' && <ThemeColor theme={page.theme} scheme="dark" />}
    <link rel="icon" href={assetPath(page, 'favicon.ico')} sizes="32x32" />
    <link rel="icon" href={assetPath(page, 'icon.svg')} type="image/svg+xml" />
    <link rel="apple-touch-icon" href={assetPath(page, 'apple-touch-icon.png')} />
    <link rel="manifest" href={assetPath(page, 'manifest.webmanifest')} />
  </head>
)

/**
 * Nothing is shown before the whole page is parsed, so nothing moves while it arrives. Browsers that do not know this
 * ignore it. In capitals, because hono/jsx leaves `blocking` out.
 */
const ShownWhenParsed = () => <link rel="expect" href="#end" BLOCKING="render" />

/** htmx and these modules run in this order, after the page has been parsed. The import map must come before all modules. */
const Scripts = ({ page, modules }: Pick<HeadProps, 'page'> & { modules: readonly string[] }) => (
  <>
    <script type="importmap">{raw(importMapOf(page.versions, modules.some(isOfPlayer)))}</script>
    <script src={assetPath(page, 'htmx.js')} defer></script>
    {importedBy(page.versions, modules).map(name => (
      <link rel="modulepreload" href={assetPath(page, name)} />
    ))}
    <ShownWithClocks page={page} />
    {modules.map(name => (
      <script type="module" src={assetPath(page, name)}></script>
    ))}
  </>
)

/** Times in the reader's zone are longer than the words of the server, so they are written before anything is shown. */
const ShownWithClocks = ({ page }: Pick<HeadProps, 'page'>) => (
  <script type="module" src={assetPath(page, 'page/clocks.js')} BLOCKING="render"></script>
)

const modules_of_every_page = ['page/every-page.js']

/** The modules on every page of people who are signed in. */
const modules_of_people = ['page/dropping.js', 'page/search-suggestions.js']

/** The colour of the browser around the page: by the system's scheme unless the person chose one. */
const ThemeColor = ({ theme, scheme }: { theme: Theme; scheme: keyof typeof grounds }) => (
  <meta
    name="theme-color"
    content={grounds[scheme]}
    media={theme === 'system' ? `(prefers-color-scheme: ${scheme})` : undefined}
  />
)

/** `--ground` of the stylesheet, in light and dark. */
const grounds = { light: '#faf9f7', dark: '#131210' }

/** Attributes that a morph keeps, so that an open menu or Details line stays open. */
const morph_ignore = ['data-htmx-powered', 'open', 'aria-busy']

/** `noSwap` 502 and 504: a proxy that cannot reach us answers with its own page, which must not be swapped into ours. */
const htmx_config = JSON.stringify({
  noSwap: [204, 304, 502, 504],
  morphIgnore: morph_ignore,
  history: false,
  includeIndicatorCSS: false,
})

/** Covers the page while a file is dragged over it, and imports the file. `page/dropping.js` shows and sends this form. */
const DropFile = remembered(
  () => (
    <form
      id="drop"
      class="drop"
      method="post"
      action="/import"
      enctype="multipart/form-data"
      data-most-bytes={max_file_bytes}
      hidden
    >
      <input type="file" name="file" aria-label="File to import" hidden />
      <p class="say">Drop the file to import it</p>
      <p class="quiet">Subscriptions, a watch history or a Backlot archive</p>
      <p class="fault" role="alert">
        {file_too_large}
      </p>
    </form>
  ),
  () => null,
)

type ErrorProps = {
  page: PageContext
  title: string
  detail: string
  next?: { href: string; label: string } | undefined
}

/** Says what happened, why, and what to do next. */
export const ErrorPage = ({ page, title, detail, next }: ErrorProps) => (
  <Layout page={page} title={title}>
    <div class="narrow">
      <div class="card">
        <h1>{title}</h1>
        <p>{detail}</p>
        {next && (
          <a class="button main" href={next.href}>
            {next.label}
          </a>
        )}
      </div>
    </div>
  </Layout>
)

/** The texts of both import maps. The Content-Security-Policy names their hashes. */
export const importMapsOf = (versions: Versions): string[] => [
  importMapOf(versions, false),
  importMapOf(versions, true),
]

/**
 * The import map of a page with a player, or the shorter map of all other pages. It gives every import the address with the version of the
 * file, so a browser keeps each module until that file changes.
 */
export function importMapOf(versions: Versions, has_player: boolean): string {
  const made = import_maps.get(versions) ?? { with: writtenMap(versions, true), without: writtenMap(versions, false) }
  import_maps.set(versions, made)
  return has_player ? made.with : made.without
}

/** The versions are the same for all pages of a process. */
const import_maps = new WeakMap<Versions, { with: string; without: string }>()

function writtenMap(versions: Versions, has_player: boolean): string {
  const imported = new Set([...versions.values()].flatMap(({ imports }) => imports))
  const needed = [...imported].filter(name => has_player || !isOfPlayer(name))
  const addresses = needed.map(name => [`/static/${name}`, assetPath({ versions }, name)])
  return JSON.stringify({ imports: Object.fromEntries(addresses) })
}

const isOfPlayer = (name: string): boolean => name.startsWith('player/')

/**
 * The modules that these modules import, directly and through others. A browser that knows all of them at once loads them at the same time.
 */
export function importedBy(versions: Versions, names: readonly string[]): string[] {
  const found = new Set(names)
  // A set also walks what is added on the way.
  for (const name of found) for (const imported of versions.get(name)?.imports ?? []) found.add(imported)
  return [...found].slice(names.length)
}
