/** Collects what every page shows beside its own data: the person, the flash, the theme, and the column with their library. */
import type { Context } from 'hono'
import type { Accounts } from '../../db/account/accounts.ts'
import { mayRegister } from '../../domain/account/sign-in.ts'
import { currentTime } from '../../runtime/clock.ts'
import type { OnEveryPage } from '../../schema/account/account.ts'
import type { LibraryColumn } from '../../schema/search/saved-search.ts'
import type { PageContext, Versions } from '../../views/frames/context.ts'
import { takeFlash } from './answers.tsx'
import { type Env, isFragment, wantsJson } from './context.ts'
import { channelsOpen, theme_cookie } from './cookies.ts'

/** Videos of New and of a channel: twice the first screen of a laptop. The next ones are loaded when the end comes near. */
export const videos_of_page = 24

/** Everything the layout shows. Removes the flash, so call it once per page. */
export function pageOf(c: Context<Env>): PageContext {
  const { user, by_proxy, registration_open, versions, bin_hours, on_every_page = usual } = c.var
  return {
    user,
    by_proxy,
    registration_open,
    versions,
    bin_hours,
    ...on_every_page,
    path: c.req.path,
    flash: takeFlash(c),
    theme: theme_cookie.read(c),
    now: currentTime(),
    channels_open: channelsOpen(c),
  }
}

/** Of pages that no browser asks for, and of pages for people who are signed out. */
const usual: OnEveryPage = { active_downloads: 0, keyboard_shortcuts: true, follows_any: true }

/** Sets what an error page needs, before anything can fail. Until later middleware knows better, the request is signed out. */
export const defaults = (versions: Versions, bin_hours: number, provider_label?: string) => (c: Context<Env>) => {
  c.set('versions', versions)
  c.set('bin_hours', bin_hours)
  c.set('provider_label', provider_label)
  c.set('user', null)
  c.set('session', null)
  c.set('by_token', false)
  c.set('by_proxy', false)
  c.set('registration_open', false)
}

/** Sets `registration_open`, by which pages offer "Create account" to people who are signed out. */
export const registrationOpen =
  (accounts: Accounts, registration: 'open' | 'closed') =>
  async (c: Context<Env>): Promise<void> => {
    if (c.get('user') === null) c.set('registration_open', await mayRegister(accounts, registration))
  }

/** Sets `on_every_page`, which only pages need. */
export const readForEveryPage = async (c: Context<Env>): Promise<void> => {
  const is_page = /\btext\/html\b/.test(c.req.header('accept') ?? '')
  if (!is_page || isFragment(c) || wantsJson(c)) return
  c.set('on_every_page', await c.get('library').videos.onEveryPage())
}

/** The column beside a page. What its fold has is only read if it is open, or if the page needs it too. A fragment has no column. */
export const columnFor = async (c: Context<Env>, is_needed = false): Promise<LibraryColumn | undefined> => {
  if (isFragment(c)) return undefined
  return is_needed || channelsOpen(c) ? c.var.library.groups.column() : unread_column
}

const unread_column: LibraryColumn = { groups: [], searches: [], channels: [] }
