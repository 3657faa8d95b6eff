/** Turns what a person types into an address that can be fetched. Pure. */
import { DomainError } from '../../errors.ts'
import { hasControls } from '../../schema/values/address.ts'
import { webUrlOf } from '../markup/web-url.ts'
import { knownFeedsOf } from '../platforms/by-address.ts'
import { channelPageOf, isChannelId } from '../platforms/youtube.ts'

/** The address of the feed where the platform is known, else the given one. Throws like `addressOf`. */
export function feedAddressOf(given: string): string {
  const address = addressOf(given)
  return knownFeedsOf(address)[0]?.rss_url ?? address
}

/**
 * Adds https:// to `example.com/feed`; takes a bare handle or channel identifier for YouTube's. Throws `invalid` or
 * `address_refused`, with a sentence that says what to write instead.
 */
export function addressOf(given: string): string {
  const text = given
    .trim()
    // Quotation marks and brackets around it, and the comma of a list behind it.
    .replace(/^[<"'`“„«‘「『]+|[>"'`”“»’」』,;]+$/g, '')
    .replace(/^feed:(\/\/)?(?=https?:)/i, '')
    .replace(/^feed:\/\//i, 'https://')
  const [, scheme] = /^([a-z][a-z0-9+.-]*):(?!\d)/i.exec(text) ?? []
  if (scheme !== undefined && !/^https?$/i.test(scheme)) throw notTheWeb()
  if (hasControls(text)) throw unfitAddress()
  const url = /[\s\u0000-\u001f]/.test(text) ? undefined : webUrlOf(scheme === undefined ? withScheme(text) : text)
  if (url === undefined) throw noAddress()
  return url
}

/**
 * The words of a person who typed the name of a channel instead of a link: several words, or one word that is not the name of a site. Names
 * such as "AC/DC live" have what addresses have, but no address has a space.
 */
export function nameIn(given: string): string | undefined {
  const text = given.trim().replace(/\s+/g, ' ')
  const is_address = text.includes(' ') ? text.includes('://') : /^@|[:/.]/.test(text) || isChannelId(text)
  return is_address || text === '' || hasControls(text) ? undefined : text
}

function withScheme(text: string): string {
  if (/^@[^/]/.test(text)) return `https://www.youtube.com/${text}`
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
