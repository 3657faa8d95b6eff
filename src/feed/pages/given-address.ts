/** Turns what a person types into an address that can be fetched. Pure. */
import { DomainError } from '../../errors.ts'
import { hasControls } from '../../schema/values/address.ts'
import { webUrlOf } from '../markup/web-url.ts'
import { knownFeedsOf } from '../platforms/by-address.ts'
import { channelPageOf, isChannelId, mendedYouTube } from '../platforms/youtube.ts'
import { addressIn, peertube_handle } from './addresses.ts'

/** The address of the feed where the platform is known, else the given one. Throws like `addressOf`. */
export function feedAddressOf(given: string): string {
  const address = addressOf(given)
  return knownFeedsOf(address)[0]?.rss_url ?? address
}

/**
 * Finds the address in a text, and adds what is missing: https:// to `example.com/feed`, the site to a bare handle or identifier of a
 * channel. An address that only redirects gives the one behind it. Throws `invalid` or `address_refused`, with a sentence that says what
 * to write instead.
 */
export function addressOf(given: string): string {
  // A text may have lines. An address that was cut at a control character must not pass.
  if (hasControls(given.replace(/\s+/g, ' '))) throw unfitAddress()
  const text = withWebScheme(addressIn(given) ?? given.trim())
  const [, scheme] = /^([a-z][a-z0-9+.-]*):(?!\d)/i.exec(text) ?? []
  if (scheme !== undefined && !/^https?$/i.test(scheme)) throw notTheWeb()
  const url = /\s/.test(text) ? undefined : webUrlOf(scheme === undefined ? withScheme(text) : text)
  if (url === undefined) throw noAddress()
  return mendedYouTube(targetOf(url))
}

const withWebScheme = (text: string): string =>
  usual_forms.reduce(
    (changed, [pattern, form]) => changed.replace(pattern, form),
    text.replace(/^lbry:.*/i, address => address.replaceAll('#', ':')),
  )

/** Handles, the schemes of apps for feeds and videos, and http:// mistyped or doubled. */
const usual_forms: [RegExp, string][] = [
  [peertube_handle, 'https://$2/video-channels/$1'],
  [/^(?:feed|pcast|itpc|podcast|rss):(?:\/\/)?/i, 'https://'],
  [/^(?:vnd\.)?youtube:(?:\/\/)?(?=[\w-]{11}(?:$|[?&]))/i, 'https://www.youtube.com/watch?v='],
  [/^(?:vnd\.)?youtube:\/*(?=[^./]+(?:[/?]|$))/i, 'https://www.youtube.com/'],
  [/^(?:(?:vnd\.)?youtube|intent):(?:\/\/)?/i, 'https://'],
  [/^lbry:\/\/(?=.)/i, 'https://odysee.com/'],
  [/^https?:?\/\/(?=https?:?\/\/)/i, ''],
  [/^(https?)\/\//i, '$1://'],
]

/** The address to which a redirector leads; any other address as it is. A redirector may lead to another one. */
function targetOf(url: string, most = 3): string {
  const { host, pathname, searchParams } = new URL(url)
  const is_redirector = redirector.test(host + pathname)
  const target = is_redirector && target_names.map(name => webUrlOf(searchParams.get(name) ?? '', url)).find(Boolean)
  return target && most > 0 ? targetOf(target, most - 1) : url
}

/** Pages that ask before they pass a person on, as their sites put them around links. */
const redirector =
  /^consent\.(?:youtube|google)\.[a-z.]+\/|^(?:www\.|m\.)?(?:google\.[a-z.]+\/url|facebook\.com\/l\.php|youtube\.com\/(?:attribution_link|redirect|oembed))$|^lm?\.(?:facebook|instagram)\.com\/|^(?:out\.reddit\.com|(?:www\.)?vk\.com\/away\.php|duckduckgo\.com\/l\/|[a-z0-9]+\.safelinks\.protection\.outlook\.com\/)/
const target_names = ['continue', 'url', 'u', 'q', 'to', 'uddg']

/**
 * The words of a person who typed the name of a channel instead of a link: several words, or one word that is not the name of a site. Names
 * such as "AC/DC live" have what addresses have, but no address has a space.
 */
export function nameIn(given: string): string | undefined {
  const text = given.trim().replace(/\s+/g, ' ')
  if (addressIn(given) !== undefined) return undefined
  const is_address = text.includes(' ') ? text.includes('://') : /^@|[:/.]/.test(text) || isChannelId(text)
  return is_address || text === '' || hasControls(text) ? undefined : text
}

function withScheme(text: string): string {
  if (/^[@＠][^/]/.test(text)) return `https://www.youtube.com/@${text.slice(1)}`
  return isChannelId(text) ? channelPageOf(text) : `https://${text}`
}

const notTheWeb = () =>
  new DomainError('address_refused', 'Only addresses that start with http:// or https:// are fetched.')
const unfitAddress = () =>
  new DomainError(
    'address_refused',
    'This address contains control characters, such as a line break or %0A. Remove them and try again.',
  )
export const noAddress = () =>
  new DomainError('invalid', 'This is not a web address. Paste a link such as https://example.com/feed.')
