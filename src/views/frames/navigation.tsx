/**
 * The navigation of every page: the main places, search and the user menu with the keyboard shortcuts; signed out, the ways to an account.
 */
import type { Theme } from '../../schema/account/account.ts'
import {
  admin_path,
  history_path,
  newPath,
  playlists_path,
  sortOf,
  suggestions_path,
  watch_later_path,
} from '../../schema/http/paths.ts'
import type { SearchOf } from '../../schema/search/saved-search.ts'
import { numberWords } from '../../schema/values/words.ts'
import { initialOf } from '../parts/thumbnails.tsx'
import { Button, Post } from '../ui/forms.tsx'
import { asTyped } from '../ui/lists.tsx'
import { ItemLink } from '../ui/menus.tsx'
import type { PageContext } from './context.ts'
import { remembered } from './remembered.ts'

/** `searched`: on the search page, what it shows. */
type SignedInProps = { page: PageContext; user: NonNullable<PageContext['user']>; searched?: SearchOf | undefined }

export const SignedIn = ({ page, user, searched }: SignedInProps) => (
  <>
    <nav class="main-nav" aria-label="Main">
      {places.map(({ href, label, here }) => (
        <a href={href} aria-current={here.test(page.path) ? 'page' : undefined}>
          {label}
          {href === '/downloads' && <ActiveCount count={page.active_downloads} />}
        </a>
      ))}
    </nav>
    <Search has_key={page.keyboard_shortcuts} searched={searched} />
    <UserMenu user={user} theme={page.theme} by_proxy={page.by_proxy} />
  </>
)

type UserMenuProps = Pick<SignedInProps, 'user'> & Pick<PageContext, 'theme' | 'by_proxy'>

const UserMenu = remembered(
  ({ user: { username, role }, theme, by_proxy }: UserMenuProps) => (
    <details class="menu user">
      <summary>
        <span class="initial" aria-hidden="true">
          {initialOf(username)}
        </span>
        <span class="name spoken-on-phone">{username}</span>
      </summary>
      <div class="panel">
        <ThemeChoice theme={theme} />
        <ItemLink href={watch_later_path}>Watch later</ItemLink>
        <ItemLink href={history_path}>History</ItemLink>
        <ItemLink href={playlists_path}>Playlists</ItemLink>
        <ItemLink href="/settings">Settings</ItemLink>
        {role === 'admin' && <ItemLink href={admin_path}>Administration</ItemLink>}
        <KeysButton />
        {!by_proxy && (
          <Post action="/logout" class="item">
            Sign out
          </Post>
        )}
      </div>
    </details>
  ),
  ({ user: { username, role }, theme, by_proxy }) => [username, role, theme, by_proxy],
)

type SearchProps = Pick<SignedInProps, 'searched'> & { has_key: boolean }

/** On the search page, results follow the typing. */
const Search = ({ has_key, searched }: SearchProps) => (
  <search class="search">
    <form
      method="get"
      action="/search"
      {...(searched && asTyped({ path: '/search', target: 'results', say: ['found'] }))}
    >
      {searched && sortOf(searched.sort) && <input type="hidden" name="sort" value={searched.sort} />}
      <input
        type="search"
        name="q"
        value={searched?.q}
        placeholder="Search"
        aria-label="Search everything you follow"
        aria-keyshortcuts={has_key ? '/' : undefined}
        autocomplete="off"
        enterkeyhint="search"
        maxlength={200}
        data-suggestions={suggestions_path}
        autofocus={searched?.q === ''}
      />
    </form>
  </search>
)

const places = [
  { href: newPath(), label: 'New', here: /^\/(months)?$/ },
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

/** The number next to "Downloads": how many of them run or wait. */
const ActiveCount = ({ count }: { count: number }) => (
  <span id="active-downloads" class="active-count">
    {count > 0 && (
      <>
        {count > max_count_shown ? `${max_count_shown}+` : numberWords(count)}
        <span class="spoken"> running or queued</span>
      </>
    )}
  </span>
)

const max_count_shown = 99

/** For an answer to htmx after which another number of downloads may run or wait. */
export const ActiveCountPartial = ({ count }: { count: number }) => (
  <hx-partial hx-target="#active-downloads" hx-swap="outerHTML">
    <ActiveCount count={count} />
  </hx-partial>
)

/**
 * The list of keyboard shortcuts. `page/keys.js` handles the keys of every page, and the script of a page handles its own. `scripts`: those
 * of the page.
 */
export const KeysDialog = remembered(
  ({ scripts }: { scripts: readonly string[] }) => (
    <dialog id="keys" aria-labelledby="keys-title">
      <h2 id="keys-title">Keyboard shortcuts</h2>
      <dl class="key-list">
        {[...scripts.flatMap(script => keys_of.get(script) ?? []), ...every_page].map(([keys, does]) => (
          <div>
            <dt>
              {keys.map(name => (
                <kbd>{name}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <button type="button" class="button plain" data-keys="close">
        Close
      </button>
    </dialog>
  ),
  ({ scripts }) => scripts,
)

/** Shown only where scripts run, the shortcuts are on, and there may be a keyboard. */
const KeysButton = () => (
  <button type="button" class="item scripted" data-keys="open" aria-keyshortcuts="?">
    Keyboard shortcuts <kbd>?</kbd>
  </button>
)

type Key = [keys: string[], does: string]

const player_keys: Key[] = [
  [['Space', 'K'], 'Play or pause'],
  [['J', 'L'], 'Back or forward 10 seconds'],
  [['Left', 'Right'], 'Back or forward 5 seconds'],
  [['0', '9'], 'Jump to 0–90%'],
  [['F'], 'Full screen'],
  [['T'], 'Theatre'],
  [['I'], 'Picture in picture'],
  [['M'], 'Mute or unmute'],
  [['Up', 'Down'], 'Volume up or down (full screen)'],
  [['<', '>'], 'Slower or faster'],
  [['C'], 'Subtitles on or off'],
  [['S'], 'Mark as watched or unwatched'],
  [['N', 'P'], 'Next or previous video'],
]

const list_keys: Key[] = [
  [['J', 'K'], 'Next or previous video'],
  [['Arrow keys'], 'Move between videos'],
  [['O', 'Enter'], 'Open'],
  [['D'], 'Download'],
  [['W'], 'Mark as watched or unwatched'],
  [['L'], 'Watch later'],
  [['X'], 'Hide'],
  [['Space'], 'Select, while you are selecting'],
  [['Esc'], 'Leave the selection or the list'],
]

const every_page: Key[] = [
  [['/'], 'Search'],
  [['U'], 'Undo'],
  [['?'], 'Show this list'],
]

const keys_of = new Map([
  ['player/watch-page.js', player_keys],
  ['page/list-keys.js', list_keys],
])
