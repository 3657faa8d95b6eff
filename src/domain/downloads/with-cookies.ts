/** Fetches a video, and once more with the cookies of its person where the site refused it and a sign-in may mend that. */
import type { Library } from '../../db/library.ts'
import { siteOf } from '../../schema/values/address.ts'
import { type Failure, isRefusedPage } from '../../ytdlp/failures/failure.ts'
import type { Downloaded } from '../../ytdlp/fetch/download.ts'
import { type CookiesToUse, cookiesFor, type SecretKey, sign_in_may_help, sign_in_refused } from './site-cookies.ts'

type Fetched = Downloaded | { failure: Failure }

type Parts = {
  library: Library
  secret_key: SecretKey
  now(): Date
  /** One run of yt-dlp. */
  fetch(cookies?: string): Promise<Fetched>
  /** From now on, nothing that the run fetches or finds out may reach another person. `false`: the run has lost its claim. */
  keepPrivate(): Promise<boolean>
}

/** `used`: the cookies with which it was fetched; `undefined`: without any. */
export async function fetchWithCookies(
  { library, secret_key, now, fetch, keepPrivate }: Parts,
  video_url: string,
): Promise<{ fetched: Fetched; used?: CookiesToUse }> {
  const fetched = await fetch()
  if (!('failure' in fetched) || !mayNeedSignIn(fetched.failure)) return { fetched }
  const cookies = await cookiesFor(library, secret_key, video_url, now())
  if (!cookies) return { fetched }
  if (cookies.text === undefined) return { fetched: { failure: { ...fetched.failure, ...endedAt(cookies) } } }
  if (!(await keepPrivate())) return { fetched }
  const again = await fetch(cookies.text)
  if (!('failure' in again)) return { fetched: again, used: cookies }
  const { failure } = again
  const has_ended = sign_in_refused.includes(failure.reason)
  if (has_ended) await library.cookies.recordUse(cookies, false)
  const why = has_ended ? endedAt(cookies) : mayNeedSignIn(failure) ? refusedAt(video_url, failure) : {}
  return { fetched: { failure: { ...failure, ...why, with_cookies: true } }, used: cookies }
}

const mayNeedSignIn = (failure: Failure): boolean => sign_in_may_help.includes(failure.reason) || isRefusedPage(failure)

const endedAt = ({ host }: CookiesToUse) => ({
  sentence: `Your cookies for ${host} no longer work. Store new ones in Settings.`,
  with_cookies: true,
})

/** The site does not say whether the account may not watch it, or whether the sign-in has ended; a 403 may be about this server, too. */
const refusedAt = (video_url: string, failure: Failure) => ({
  sentence: isRefusedPage(failure)
    ? `Access denied by ${siteOf(video_url)} (403), with your cookies too.`
    : `Your account at ${siteOf(video_url)} may not watch this video, or its cookies no longer work. Check it there.`,
})
