/** Turns links as feeds write them into addresses that are safe to show, fetch or pass to yt-dlp. Pure. */
import { hasControls } from '../../schema/values/address.ts'

/**
 * http(s) only, without user name, password and control characters, within the schema's length; relative to `base`. Line breaks
 * and tabs are removed, as the URL standard says. Undefined for everything else.
 */
export function webUrlOf(text: string | undefined, base?: string): string | undefined {
  const given = text?.trim()
  // Not `canParse`, which accepts a host of 16 kB that Node then cannot parse.
  const url = given ? URL.parse(given, base) : null
  if (!url) return undefined
  const { href, protocol, username, password } = url
  const isWeb = /^https?:$/.test(protocol) && username === '' && password === ''
  return isWeb && href.length <= 2048 && !hasControls(href) ? href : undefined
}

/** Parameters that identify who clicks. */
const of_the_click =
  /^(utm_.*|at_(medium|campaign)|fbclid|gclid|[gw]braid|dclid|yclid|twclid|msclkid|igshid|mc_[ce]id|_hs(enc|mi)|mkt_tok|ref_src|srsltid|si)$/i
/** Parameters of signed addresses: they differ each time for the same file. */
export const of_the_moment = /^(token|signature|sig|expires|expiry|policy|key-pair-id|x-amz-.*)$/i

/** One spelling for all addresses of the same page or file. Identifiers are made from it, so it must never change. */
export function canonicalUrl(address: URL | string, passing?: RegExp): string {
  const url = typeof address === 'string' ? new URL(address) : address
  const { hostname, port, pathname, hash } = url
  const query = url.search === '' ? '' : canonicalQuery(url.searchParams, passing)
  // `m.` and `mobile.` serve the same pages to phones.
  const host = hostname.replace(/^(www|m|mobile)\.(?=[^.]+\.)/, '') + (port && `:${port}`)
  // A fragment is a place on the page (see `fragmentOf`), unless a script uses it as a path.
  const way = /^#!?\//.test(hash) ? hash : ''
  return `${host}${pathname.replace(/\/+$/, '')}${query && `?${query}`}${way}`
}

function canonicalQuery(parameters: URLSearchParams, passing: RegExp | undefined): string {
  const kept = [...parameters]
    .filter(([name]) => !of_the_click.test(name) && !passing?.test(name))
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  return new URLSearchParams(kept).toString()
}

/** The place on a page that an address names, with its `#`; `''`: none, or only text to highlight. */
export function fragmentOf(url: string): string {
  const [place = ''] = new URL(url).hash.split(':~:', 1)
  return place === '#' || /^#!?\//.test(place) ? '' : place
}

/** Whether an address is that of a video or sound file, as far as its path says. */
export const isMediaFile = (address: string): boolean => media_file.test(new URL(address).pathname)

const media_file = /\.(mp4|m4v|mov|webm|mkv|ogv|avi|mpe?g|flv|m3u8|mpd|ts|mp3|m4a|aac|ogg|oga|opus|flac|wav)$/i
