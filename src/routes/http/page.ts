/** Collects what every page shows beside its own data: the person, the message, the theme, and the column with their library. */
import type { Context } from 'hono'
import type { Accounts } from '../../db/account/accounts.ts'
import { mayRegister } from '../../domain/account/sign-in.ts'
import { currentTime } from '../../runtime/clock.ts'
import type { LibraryColumn } from '../../schema/search/saved-search.ts'
import type { PageContext, Versions } from '../../views/ui/context.ts'
import { takeFlash } from './answers.tsx'
import { type Env, isFragment, wantsJson } from './context.ts'
import { channelsOpen, theme_cookie } from './cookies.ts'

/** Everything the layout shows. Removes the flash message, so call it once per page. */
export const pageOf = (c: Context<Env>): PageContext => ({
  user: c.var.user,
  by_proxy: c.var.by_proxy,
  path: c.req.path,
  flash: takeFlash(c),
  theme: theme_cookie.read(c),
  now: currentTime(),
  registration_open: c.var.registration_open,
  versions: c.var.versions,
  bin_hours: c.var.bin_hours,
  active_downloads: c.var.active_downloads ?? 0,
  keyboard_shortcuts: c.var.keyboard_shortcuts ?? true,
  channels_open: channelsOpen(c),
})

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

/** Sets `active_downloads` and `keyboard_shortcuts`, which only pages need. */
export const readForEveryPage = async (c: Context<Env>): Promise<void> => {
  const is_page = /\btext\/html\b/.test(c.req.header('accept') ?? '')
  if (!is_page || isFragment(c) || wantsJson(c)) return
  const { active_downloads, keyboard_shortcuts } = await c.get('library').videos.onEveryPage()
  c.set('active_downloads', active_downloads)
  c.set('keyboard_shortcuts', keyboard_shortcuts)
}

/** Reads the column beside a page. A fragment has no column. */
export const columnFor = async (c: Context<Env>): Promise<LibraryColumn | undefined> =>
  isFragment(c) ? undefined : c.var.library.groups.column()
