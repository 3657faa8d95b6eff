/**
 * While the service listens on loopback only, refuses requests for other host names. A page elsewhere can make its own name
 * resolve to 127.0.0.1 (DNS rebinding) and would then be of the same origin; the Host header shows it.
 */
import type { Context } from 'hono'
import { DomainError } from '../../errors.ts'
import { amongThem } from '../../net/addresses.ts'
import { memoized } from '../../runtime/cache.ts'
import type { Env } from './context.ts'

export type Where = {
  /** The address the server listens on. Default: any name is accepted. */
  HOST?: string | undefined
  PUBLIC_URL?: string | undefined
  TRUSTED_PROXIES?: string[] | undefined
}

/** Accepts any port: a tunnel or a container may show another one. */
export function knownHosts({ HOST, PUBLIC_URL, TRUSTED_PROXIES = [] }: Where) {
  const isProxy = amongThem(TRUSTED_PROXIES)
  const known = namesOf(HOST, PUBLIC_URL)
  // A trusted proxy may pass on any name, unless PUBLIC_URL fixes it.
  const isByProxy = (c: Context<Env>) => PUBLIC_URL === undefined && isProxy(c.env?.remote_address ?? '')
  const isKnown = memoized(host => known?.has(nameIn(host) ?? '') ?? true)
  return (c: Context<Env>) => {
    if (!isKnown(hostOf(c)) && !isByProxy(c)) throw misdirected(PUBLIC_URL)
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
const isLoopback = (name: string) => name === 'localhost' || loopback(name.replace(/^\[|\]$/g, ''))

const hostOf = (c: Context): string => c.req.header('host') ?? new URL(c.req.url).host

/** The name as a URL spells it, without its port; `undefined` when this is not a host. */
const nameIn = (host: string): string | undefined =>
  /[/?#@\\]/.test(host) ? undefined : URL.parse(`http://${host}/`)?.hostname.replace(/\.$/, '')

/** Does not repeat the requested name, which a stranger may have chosen. */
function misdirected(public_url: string | undefined): DomainError {
  const advice =
    public_url === undefined
      ? 'Use http://localhost with its port. If the name is right, set PUBLIC_URL to the whole address and restart the service.'
      : `Use ${new URL(public_url).origin}, as set in PUBLIC_URL.`
  return new DomainError('misdirected', `This service does not know the name in the address bar. ${advice}`)
}
