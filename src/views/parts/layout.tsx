/** The frame of every page: head, navigation, messages. */
import { raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import type { Flash } from '../../schema/flash.ts'
import type { Theme } from '../../schema/forms.ts'
import { assetPath } from './asset.ts'
import type { PageContext } from './context.ts'
import { Button } from './forms.tsx'
import { UndoButton } from './undo.tsx'
import { initialOf } from './words.ts'

type LayoutProps = {
  page: PageContext
  title: string
  /** A script that only this page needs. */
  script?: 'player.js'
  children?: Child
}

export const Layout = ({ page, title, script, children }: LayoutProps) => (
  <>
    {raw('<!doctype html>')}
    <html lang="en" data-theme={page.theme}>
      <Head page={page} title={title} script={script} />
      <body>
        <a class="skip" href="#main">
          Skip to the content
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
        <main id="main">{children}</main>
      </body>
    </html>
  </>
)

/** `late`: they come while somebody reads the page. */
export const FlashMessages = ({ flash, late = false }: { flash: Flash[]; late?: boolean }) => (
  <>
    {flash.map(({ kind, text, undo }) => (
      <div class={late ? `flash ${kind} late` : `flash ${kind}`}>
        <p>{text}</p>
        {undo && <UndoButton undo={undo} />}
      </div>
    ))}
  </>
)

type HeadProps = { page: PageContext; title: string; script: 'player.js' | undefined }

const Head = ({ page, title, script }: HeadProps) => (
  <head>
    <meta charset="utf-8" />
    <title>{`${title} · Backlot`}</title>
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
    <meta name="color-scheme" content={page.theme === 'system' ? 'light dark' : page.theme} />
    <meta name="referrer" content="same-origin" />
    <meta name="htmx-config" content={htmx_config} />
    <link rel="stylesheet" href={assetPath(page, 'backlot.css')} />
    {[...scripts, ...(script ? [script] : [])].map(name => (
      <script src={assetPath(page, name)} defer></script>
    ))}
    {page.theme !== 'dark' && <ThemeColor theme={page.theme} scheme="light" />}
    {page.theme !== 'light' && <ThemeColor theme={page.theme} scheme="dark" />}
    <link rel="icon" href={assetPath(page, 'favicon.ico')} sizes="32x32" />
    <link rel="icon" href={assetPath(page, 'icon.svg')} type="image/svg+xml" />
    <link rel="apple-touch-icon" href={assetPath(page, 'apple-touch-icon.png')} />
    <link rel="manifest" href={assetPath(page, 'manifest.webmanifest')} />
  </head>
)

/** In the order in which they run, once the page has been read. */
const scripts = ['htmx.js', 'backlot.js', 'polling.js', 'choosing.js']

/** What stands around the page, in its own ground: by the system's scheme unless one was chosen. */
const ThemeColor = ({ theme, scheme }: { theme: Theme; scheme: keyof typeof grounds }) => (
  <meta
    name="theme-color"
    content={grounds[scheme]}
    {...(theme === 'system' ? { media: `(prefers-color-scheme: ${scheme})` } : {})}
  />
)

/** `--ground` of the stylesheet, in light and dark. */
const grounds = { light: '#faf9f7', dark: '#131210' }

/** A menu or a Details line that somebody opened stays open while its surroundings are morphed. */
const morph_ignore = ['data-htmx-powered', 'open', 'aria-busy']

/** A proxy that cannot reach us answers with a page of its own, which must not land in ours. No page keeps a history of its own. */
const htmx_config = JSON.stringify({
  noSwap: [204, 304, 502, 504],
  morphIgnore: morph_ignore,
  history: false,
  includeIndicatorCSS: false,
})

type SignedInProps = { page: PageContext; username: string }

const SignedIn = ({ page, username }: SignedInProps) => (
  <>
    <nav class="main-nav" aria-label="Main">
      {places.map(({ href, label, here }) => (
        <a href={href} {...(here.test(page.path) ? { 'aria-current': 'page' } : {})}>
          {label}
        </a>
      ))}
    </nav>
    {/* Where the page has the field itself, a second one would be in the way. */}
    {page.path !== '/search' && <Search />}
    <details class="menu user">
      <summary>
        <span class="initial" aria-hidden="true">
          {initialOf(username)}
        </span>
        <span class="name">{username}</span>
      </summary>
      <div class="panel">
        <ThemeChoice theme={page.theme} />
        <a class="item" href="/settings">
          Settings
        </a>
        <a class="item" href="/health">
          Health
        </a>
        <form method="post" action="/logout">
          <Button class="item">Sign out</Button>
        </form>
      </div>
    </details>
  </>
)

const Search = () => (
  <search class="search">
    <form method="get" action="/search">
      <input
        type="search"
        name="q"
        placeholder="Search"
        aria-label="Search everything you follow"
        aria-keyshortcuts="/"
        autocomplete="off"
        enterkeyhint="search"
        maxlength={200}
      />
    </form>
  </search>
)

const places = [
  { href: '/', label: 'New', here: /^\/$/ },
  { href: '/channels', label: 'Channels', here: /^\/channels(\/|$)/ },
  { href: '/downloads', label: 'Downloads', here: /^\/downloads(\/|$)/ },
]

const ThemeChoice = ({ theme }: { theme: Theme }) => (
  <form method="post" action="/theme" class="themes">
    <fieldset>
      <legend>Colours</legend>
      {(['system', 'light', 'dark'] as const).map(choice => (
        <Button name="theme" value={choice} aria-pressed={choice === theme ? 'true' : 'false'}>
          {theme_names[choice]}
        </Button>
      ))}
    </fieldset>
  </form>
)

const theme_names = { system: 'Auto', light: 'Light', dark: 'Dark' } satisfies Record<Theme, string>

const SignedOut = ({ page }: { page: PageContext }) => (
  <nav class="account-nav" aria-label="Account">
    <a href="/login" {...(page.path === '/login' ? { 'aria-current': 'page' } : {})}>
      Sign in
    </a>
    {page.registration_open && (
      <a href="/register" {...(page.path === '/register' ? { 'aria-current': 'page' } : {})}>
        Register
      </a>
    )}
  </nav>
)
