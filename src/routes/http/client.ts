/**
 * Finds out where a request comes from and by which address people see this site. The connection says so, or a trusted proxy;
 * the same headers from anyone else are ignored.
 */
import type { Context } from 'hono'
import { amongThem, customerAt } from '../../net/addresses.ts'
import { memoized } from '../../runtime/cache.ts'
import type { Env } from './context.ts'

type Trust = (address: string) => boolean
type Headers = (name: string) => string | undefined

/** The client's address, and what the nearest trusted proxies say about the address bar; `undefined`: they say nothing. */
export type Sender = { address: string; protocol: string | undefined; host: string | undefined }

/** Each proxy appends the address it saw, so this reads from right to left for as long as the last address is trusted. */
export function senderOf(remote_address: string, header: Headers, isTrusted: Trust): Sender {
  const forwarded = itemsOf(header('x-forwarded-for')).reverse()
  let address = remote_address
  let hops = 0
  while (isTrusted(address)) {
    const before = addressIn(forwarded[hops++] ?? '')
    if (before === undefined) break
    address = before
  }
  if (hops === 0) return { address, protocol: undefined, host: undefined }
  const forwardedValue = (name: string, form: RegExp) => {
    const items = itemsOf(header(name))
    const item = items.at(-hops) ?? items[0]
    return item !== undefined && form.test(item) ? item.toLowerCase() : undefined
  }
  return {
    address,
    protocol: forwardedValue('x-forwarded-proto', web),
    host: forwardedValue('x-forwarded-host', host_and_port),
  }
}

const web = /^https?$/i
const host_and_port = /^(?:[a-z0-9](?:[a-z0-9._-]{0,252}[a-z0-9])?|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i

const itemsOf = (list: string | undefined) => (list === undefined ? [] : list.split(',').map(item => item.trim()))

/** Reads `192.0.2.7`, and the forms with a port that some proxies write: `192.0.2.7:4711`, `[2001:db8::7]:4711`. */
const addressIn = (item: string): string | undefined => readAddress(item) ?? undefined

const readAddress = memoized((item): string | null => {
  const [, bracketed, plain] = /^(?:\[([0-9a-f:.]+)\](?::\d+)?|([0-9.]+)(?::\d+)?)$/i.exec(item) ?? []
  const address = bracketed ?? plain ?? item
  return isAddress(address) ? address : null
})

const isAddress = amongThem(['0.0.0.0/0', '::/0'])

/** Sets `client` and `here`. */
export function clientFrom(trusted_proxies: string[], public_url: string | undefined) {
  const isTrusted = memoized(amongThem(trusted_proxies))
  const fixed = public_url === undefined ? undefined : new URL(public_url)
  return (c: Context<Env>) => {
    const { address, protocol, host } = senderOf(c.env?.remote_address ?? '', name => c.req.header(name), isTrusted)
    c.set('client', customerOf(address))
    c.set('here', fixed ?? hereOf(c.req.url, protocol, host))
  }
}

const customerOf = memoized(customerAt)

/** Parsing an address for each request took as long as everything else in this file. */
const siteAt = memoized((origin): URL | null => URL.parse(origin))

function hereOf(url: string, protocol: string | undefined, host: string | undefined): URL {
  const [, requested_protocol = '', requested_host = ''] = /^([a-z]+):\/\/([^/?#]*)/.exec(url) ?? []
  return siteAt(`${protocol ?? requested_protocol}://${host ?? requested_host}`) ?? new URL(url)
}
