/** From what a person writes to an address that can be asked. Pure. */
import { DomainError } from '../../errors.ts'
import { hasControls } from '../../schema/address.ts'
import { webUrlOf } from '../markup/web-url.ts'
import { knownFeedsOf } from '../platforms/known-feeds.ts'

/** The address of the feed where the platform is known, else the one given. Throws what to write instead. */
export function feedAddressOf(given: string): string {
  const address = addressOf(given)
  return knownFeedsOf(address)[0]?.rss_url ?? address
}

/** `example.com/feed` gets its https://; a bare handle or identifier of a channel is YouTube's. Throws what to write instead. */
export function addressOf(given: string): string {
  const text = given
    .trim()
    .replace(/^feed:(\/\/)?(?=https?:)/i, '')
    .replace(/^feed:\/\//i, 'https://')
  const [, scheme] = /^([a-z][a-z0-9+.-]*):(?!\d)/i.exec(text) ?? []
  if (scheme !== undefined && !/^https?$/i.test(scheme)) throw notTheWeb()
  if (hasControls(text)) throw unfitAddress()
  const url = /[\s\u0000-\u001f]/.test(text) ? undefined : webUrlOf(scheme === undefined ? withScheme(text) : text)
  if (url === undefined) throw noAddress()
  return url
}

function withScheme(text: string): string {
  if (/^@[^/]/.test(text)) return `https://www.youtube.com/${text}`
  return /^UC[\w-]{22}$/.test(text) ? `https://www.youtube.com/channel/${text}` : `https://${text}`
}

const notTheWeb = () =>
  new DomainError('address_refused', 'Only addresses that start with http:// or https:// are fetched.')
const unfitAddress = () =>
  new DomainError(
    'address_refused',
    'This address contains control characters, such as a line break or %0A. Remove them and try again.',
  )
const noAddress = () => new DomainError('invalid', 'This is not a web address. It looks like https://example.com/feed.')
