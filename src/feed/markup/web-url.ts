/** Links as feeds write them → addresses that may be shown, fetched or given to yt-dlp, or nothing. Pure. */
import { hasControls } from '../../schema/address.ts'

/**
 * http(s) alone, without a name and password and control characters, within the schema's length; relative ones count from
 * `base`. Line breaks and tabs inside one are left out, as the URL standard has it.
 */
export function webUrlOf(text: string | undefined, base?: string): string | undefined {
  const given = text?.trim()
  // Not `canParse`: Node says yes to a host of 16 kB that it then can't parse.
  const url = given ? URL.parse(given, base) : null
  if (!url) return undefined
  const { href, protocol, username, password } = url
  const isWeb = /^https?:$/.test(protocol) && username === '' && password === ''
  return isWeb && href.length <= 2048 && !hasControls(href) ? href : undefined
}

/** Parameters that tell who clicks. */
const of_the_click =
  /^(utm_.*|at_(medium|campaign)|fbclid|gclid|[gw]braid|dclid|yclid|twclid|msclkid|igshid|mc_[ce]id|_hs(enc|mi)|mkt_tok|ref_src|srsltid|si)$/i
/** Parameters that tell until when a file may be fetched: another value each time for the same file. */
export const of_the_moment = /^(token|signature|sig|expires|expiry|policy|key-pair-id|x-amz-.*)$/i

/** One spelling for addresses that lead to the same thing: identifiers are made from it, so it must never change. */
export function canonicalUrl(url: string, passing?: RegExp): string {
  const { hostname, port, pathname, searchParams, hash } = new URL(url)
  const kept = [...searchParams]
    .filter(([name]) => !of_the_click.test(name) && !passing?.test(name))
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  const query = new URLSearchParams(kept).toString()
  // The same pages for telephones.
  const host = hostname.replace(/^(www|m|mobile)\.(?=[^.]+\.)/, '') + (port && `:${port}`)
  // A place on a page, unless the page is a program that takes it for the way. `fragmentOf` has the place.
  const way = /^#!?\//.test(hash) ? hash : ''
  return `${host}${pathname.replace(/\/+$/, '')}${query && `?${query}`}${way}`
}

/** The place on a page that an address names, with its `#`; `''`: none, or no more than words to highlight. */
export function fragmentOf(url: string): string {
  const [place = ''] = new URL(url).hash.split(':~:', 1)
  return place === '#' || /^#!?\//.test(place) ? '' : place
}
