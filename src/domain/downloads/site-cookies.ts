/** A person's cookies: stored encrypted, never shown, and used for a download only after its site refused it without them. */
import { seal, unseal } from '../../auth/sealed.ts'
import type { SealedCookies } from '../../db/downloads/site-cookies.ts'
import type { Library } from '../../db/library.ts'
import { DomainError, noRoomFor, wrongAt } from '../../errors.ts'
import { oneAddressOf } from '../../feed/platforms/by-address.ts'
import type { Reason } from '../../schema/downloads/run.ts'
import {
  max_cookie_hosts,
  max_kept_cookies,
  no_secret_key,
  type SiteCookies,
} from '../../schema/downloads/site-cookies.ts'
import { cookieHost, hostAboveIn, hostsAbove, lastExpiry, readCookies, writeCookies } from './cookie-file.ts'

/** SECRET_KEY; `undefined`: no cookies are stored or used. */
export type SecretKey = string | undefined

const purposeOf = ({ user_id }: Library, host: string) => `cookies of ${user_id} for ${host}`

export async function storeCookies(
  library: Library,
  secret_key: SecretKey,
  { host: named, text }: { host: string; text: string },
  now: Date,
): Promise<SiteCookies> {
  if (secret_key === undefined) throw new DomainError('conflict', no_secret_key)
  const host = hostOf(named)
  const cookies = readCookies(text, host, now)
  if (cookies === 'no_file')
    throw wrongAt(
      'file',
      'This is no cookie file. Export the cookies in the Netscape format, which is also called cookies.txt.',
    )
  if (cookies.length === 0) throw wrongAt('file', withoutCookies(host, hostAboveIn(text, host, now)))
  const kept = writeCookies(cookies)
  if (kept.length > max_kept_cookies)
    throw wrongAt(
      'file',
      `This file has too many cookies for ${host}. Sign in there in a private window and export them again.`,
    )
  const sealed = seal(secret_key, purposeOf(library, host), kept)
  const stored = await library.cookies.store(host, sealed)
  if (!stored) throw noRoomFor(max_cookie_hosts, 'sites with cookies', 'Delete')
  await library.downloads.requestClosedAt(host)
  await library.rules.judgeMembersVideosAt(host)
  return { ...stored, expires_at: lastExpiry(cookies) }
}

function hostOf(named: string): string {
  const host = cookieHost(named)
  if (host === undefined) throw wrongAt('host', 'Enter the address of one site, such as youtube.com.')
  return host
}

const withoutCookies = (host: string, above: string | undefined) =>
  above === undefined
    ? `This file has no valid cookies for ${host}. Sign in there and export them again.`
    : `This file has no cookies for ${host}, but for ${above}. Store them for ${above}.`

/** `can_open`: `false` after SECRET_KEY has changed. */
export async function listCookies(
  library: Library,
  secret_key: SecretKey,
): Promise<(SiteCookies & { can_open: boolean })[]> {
  const all = await library.cookies.list()
  return all.map(({ sealed, ...shown }) => {
    const text = secret_key === undefined ? undefined : unseal(secret_key, purposeOf(library, shown.host), sealed)
    const cookies = text === undefined ? 'no_file' : readCookies(text, shown.host, long_ago)
    return { ...shown, can_open: text !== undefined, expires_at: cookies === 'no_file' ? null : lastExpiry(cookies) }
  })
}

/** The expired ones are read as well. */
const long_ago = new Date(0)

export async function forgetCookies(library: Library, named: string): Promise<void> {
  const host = cookieHost(named)
  if (host === undefined || !(await library.cookies.forget(host)))
    throw new DomainError('not_found', 'You have no cookies for this site.')
}

/** Refusals after which the cookies of an account are tried. */
export const sign_in_may_help: readonly Reason[] = ['members', 'private', 'sign_in', 'bot_check']
/** Refusals that say that the sign-in itself has ended. After the others, the account may not watch this one video. */
export const sign_in_refused: readonly Reason[] = ['sign_in', 'bot_check']

/** After a refusal of the sign-in, the cookies are not used for so long: sites watch accounts that keep being refused. */
const rest_ms = 3_600_000

/** `text`: a Netscape file; absent while the cookies rest after a refusal. */
export type CookiesToUse = Pick<SealedCookies, 'host' | 'stored_at'> & { text?: string }

/** Those that the site of a video may get. `undefined`: there are none, or they cannot be opened. */
export async function cookiesFor(
  library: Library,
  secret_key: SecretKey,
  video_url: string,
  now: Date,
): Promise<CookiesToUse | undefined> {
  // `youtu.be` and `http:` in a feed lead to the same page of YouTube.
  const url = URL.parse(oneAddressOf(video_url))
  if (secret_key === undefined || url?.protocol !== 'https:') return undefined
  const found = await library.cookies.find(hostsAbove(url.hostname))
  if (!found) return undefined
  const { host, stored_at, refused_at, sealed } = found
  if (refused_at && now.getTime() - refused_at.getTime() < rest_ms) return { host, stored_at }
  const text = unseal(secret_key, purposeOf(library, host), sealed)
  const cookies = text === undefined ? [] : readCookies(text, host, now)
  if (cookies === 'no_file' || cookies.length === 0) return undefined
  return { host, stored_at, text: writeCookies(cookies) }
}
