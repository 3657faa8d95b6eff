/** The navigation of every page: the main places, search and the user menu; signed out, the ways to an account. */
import type { Theme } from '../../schema/account/sign-in.ts'
import { ActiveCount } from './active-count.tsx'
import type { PageContext } from './context.ts'
import { Button } from './forms.tsx'
import { KeysButton } from './keys.tsx'
import { suggestions_path } from './paths.ts'
import { initialOf } from './words.ts'

type SignedInProps = { page: PageContext; username: string }

export const SignedIn = ({ page, username }: SignedInProps) => (
  <>
    <nav class="main-nav" aria-label="Main">
      {places.map(({ href, label, here }) => (
        <a href={href} aria-current={here.test(page.path) ? 'page' : undefined}>
          {label}
          {href === '/downloads' && <ActiveCount count={page.active_downloads} />}
        </a>
      ))}
    </nav>
    {/* The search page has a search field of its own. */}
    {page.path !== '/search' && <Search has_key={page.keyboard_shortcuts} />}
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
          Status
        </a>
        <KeysButton />
        <form method="post" action="/logout">
          <Button class="item">Sign out</Button>
        </form>
      </div>
    </details>
  </>
)

const Search = ({ has_key }: { has_key: boolean }) => (
  <search class="search">
    <form method="get" action="/search">
      <input
        type="search"
        name="q"
        placeholder="Search"
        aria-label="Search everything you follow"
        aria-keyshortcuts={has_key ? '/' : undefined}
        autocomplete="off"
        enterkeyhint="search"
        maxlength={200}
        data-suggestions={suggestions_path}
      />
    </form>
  </search>
)

const places = [
  { href: '/', label: 'New', here: /^\/(months)?$/ },
  { href: '/channels', label: 'Channels', here: /^\/channels(\/|$)/ },
  { href: '/downloads', label: 'Downloads', here: /^\/(downloads|space)(\/|$)/ },
]

const ThemeChoice = ({ theme }: { theme: Theme }) => (
  <form method="post" action="/theme" class="themes">
    <fieldset>
      <legend>Theme</legend>
      {(['system', 'light', 'dark'] as const).map(choice => (
        <Button
          name="theme"
          value={choice}
          aria-pressed={choice === theme ? 'true' : 'false'}
          data-next-focus=".user > summary"
        >
          {theme_names[choice]}
        </Button>
      ))}
    </fieldset>
  </form>
)

const theme_names = { system: 'Auto', light: 'Light', dark: 'Dark' } satisfies Record<Theme, string>

export const SignedOut = ({ page }: { page: PageContext }) => (
  <nav class="account-nav" aria-label="Account">
    <a href="/login" aria-current={page.path === '/login' ? 'page' : undefined}>
      Sign in
    </a>
    {page.registration_open && (
      <a href="/register" aria-current={page.path === '/register' ? 'page' : undefined}>
        Create account
      </a>
    )}
  </nav>
)
