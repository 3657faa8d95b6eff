/**
 * Finds out where a request comes from and by which address people see this site, and refuses host names that are not this site's. The
 * connection says so, or a trusted proxy; the same headers from anyone else are ignored.
 */
import type { Context } from 'hono'
import { DomainError } from '../../errors.ts'
import { amongThem, customerAt } from '../../net/addresses.ts'
import { memoized } from '../../runtime/cache.ts'
import type { Env } from './context.ts'

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
  return siteAt(`${protocol ?? requested_protocol}://${host ?? requested_host}`) ?? new URL('/', url)
}

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

export type Where = {
  /** The address the server listens on. Default: any name is accepted. */
  HOST?: string | undefined
  PUBLIC_URL?: string | undefined
  TRUSTED_PROXIES?: string[] | undefined
  AUTH_HEADER?: string | undefined
}

/**
 * While the service listens on loopback only, and for a person whom a proxy names, refuses requests for other host names. A page elsewhere
 * can make its own name resolve to 127.0.0.1 (DNS rebinding) and would then be of the same origin; the Host header shows it. Any port is
 * accepted: a tunnel or a container may show another one.
 */
export function knownHosts({ HOST, PUBLIC_URL, TRUSTED_PROXIES = [], AUTH_HEADER }: Where) {
  const isProxy = amongThem(TRUSTED_PROXIES)
  const known = namesOf(HOST, PUBLIC_URL)
  // A trusted proxy may pass on any name, unless PUBLIC_URL fixes it. With AUTH_HEADER it may not: a page that rebinds its name to this
  // machine comes from the address of a proxy here, can write the header, and would be anyone.
  const passesAny = PUBLIC_URL === undefined && AUTH_HEADER === undefined
  const isByProxy = (c: Context<Env>) => passesAny && isProxy(c.env?.remote_address ?? '')
  const isKnown = memoized(host => known?.has(nameIn(host) ?? '') ?? true)
  const shown = PUBLIC_URL === undefined ? undefined : new URL(PUBLIC_URL).hostname
  // For the same reason, also where the service listens on more than loopback. No name can be made to resolve to an address.
  const isSafe = memoized(host => [shown, 'localhost'].includes(nameIn(host)) || isAddress(bare(nameIn(host) ?? '')))
  const isRebound = (c: Context<Env>) =>
    shown !== undefined && c.get('proxy_header') !== undefined && !isSafe(hostOf(c))
  return (c: Context<Env>) => {
    if ((!isKnown(hostOf(c)) && !isByProxy(c)) || isRebound(c)) throw misdirected(PUBLIC_URL)
  }
}

/** `undefined`: the service listens on more than loopback, so its network may have any name for it. */
function namesOf(host: string | undefined, public_url: string | undefined): Set<string> | undefined {
  const own = host === undefined ? undefined : nameIn(host.includes(':') ? `[${host}]` : host)
  if (own === undefined || !isLoopback(own)) return undefined
  const shown = public_url === undefined ? [] : [new URL(public_url).hostname]
  return new Set(['localhost', '127.0.0.1', '[::1]', own, ...shown])
}

const loopback = amongThem(['loopback'])
const isLoopback = (name: string) => name === 'localhost' || loopback(bare(name))
const bare = (name: string) => name.replace(/^\[|\]$/g, '')

const hostOf = (c: Context): string => c.req.header('host') ?? new URL(c.req.url).host

/** The name as a URL spells it, without its port; `undefined` when this is not a host. */
const nameIn = (host: string): string | undefined =>
  /[/?#@\\]/.test(host) ? undefined : URL.parse(`http://${host}/`)?.hostname.replace(/\.$/, '')

/** Does not repeat the requested name, which a stranger may have chosen. */
function misdirected(public_url: string | undefined): DomainError {
  const advice =
    public_url === undefined
      ? 'Use http://localhost with its port. If the name is right, set PUBLIC_URL to the whole address and restart the service.'
      : `Use ${public_url}, as set in PUBLIC_URL.`
  return new DomainError('misdirected', `This service does not know the name in the address bar. ${advice}`)
}
