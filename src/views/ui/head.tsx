/** The head of every page: title, stylesheet, scripts, icons and the settings of htmx. */
import type { Theme } from '../../schema/account/sign-in.ts'
import { assetPath } from './asset.ts'
import type { PageContext } from './context.ts'

type HeadProps = { page: PageContext; title: string; scripts: readonly string[] }

export const Head = ({ page, title, scripts }: HeadProps) => (
  <head>
    <meta charset="utf-8" />
    <title>{`${title} · Backlot`}</title>
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
    <meta name="color-scheme" content={page.theme === 'system' ? 'light dark' : page.theme} />
    <meta name="referrer" content="same-origin" />
    <meta name="htmx-config" content={htmx_config} />
    <link rel="stylesheet" href={assetPath(page, 'backlot.css')} />
    <ShownWhenParsed />
    {[...scripts_of_every_page, ...(page.user ? scripts_of_people : []), ...scripts].map(name => (
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

/**
 * Nothing is shown before the whole page is parsed, so nothing moves while it arrives. Browsers that do not know this
 * ignore it. In capitals, because hono/jsx leaves `blocking` out.
 */
const ShownWhenParsed = () => <link rel="expect" href="#end" BLOCKING="render" />

/** In this order they run, after the page has been parsed. */
export const scripts_of_every_page = [
  'htmx.js',
  'backlot.js',
  'keys.js',
  'focus.js',
  'polling.js',
  'choosing.js',
  'cards.js',
  'pictures.js',
]

/** On every page of people who are signed in. */
export const scripts_of_people = ['dropping.js', 'search-suggestions.js']

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
