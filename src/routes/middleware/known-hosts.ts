/**
 * Refuses names that this service does not go by while it listens on loopback only. A page elsewhere can make its own name
 * resolve to 127.0.0.1 (DNS rebinding) and would then be of the same origin; the Host header gives it away.
 */
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { DomainError } from '../../errors.ts'
import { amongThem } from '../../net/addresses.ts'
import type { Env } from './context.ts'

export type Where = {
  /** What the server listens on; not given: something before us judges. */
  HOST?: string | undefined
  PUBLIC_URL?: string | undefined
  TRUSTED_PROXIES?: string[] | undefined
}

/** Any port is accepted: a tunnel or a container may show another one. */
export function knownHosts({ HOST, PUBLIC_URL, TRUSTED_PROXIES = [] }: Where) {
  const isProxy = amongThem(TRUSTED_PROXIES)
  const known = namesOf(HOST, PUBLIC_URL)
  return createMiddleware<Env>(async (c, next) => {
    // With PUBLIC_URL the name is known. Without it a proxy may pass on any: what it says is believed anyway.
    const by_proxy = PUBLIC_URL === undefined && isProxy(c.env?.remote_address ?? '')
    if (known && !by_proxy && !known.has(nameIn(hostOf(c)) ?? '')) throw misdirected(PUBLIC_URL)
    await next()
  })
}

/** `undefined`: whoever listens on more than loopback is found by names that only its network knows. */
function namesOf(host: string | undefined, public_url: string | undefined): Set<string> | undefined {
  const own = host === undefined ? undefined : nameIn(host.includes(':') ? `[${host}]` : host)
  if (own === undefined || !isLoopback(own)) return undefined
  const shown = public_url === undefined ? [] : [new URL(public_url).hostname]
  return new Set(['localhost', '127.0.0.1', '[::1]', own, ...shown])
}

const loopback = amongThem(['loopback'])
const isLoopback = (name: string) => name === 'localhost' || loopback(name.replace(/^\[|\]$/g, ''))

const hostOf = (c: Context): string => c.req.header('host') ?? new URL(c.req.url).host

/** The name as a URL spells it, without its port; `undefined`: it is none. */
const nameIn = (host: string): string | undefined =>
  /[/?#@\\]/.test(host) ? undefined : URL.parse(`http://${host}/`)?.hostname.replace(/\.$/, '')

/** The name that was asked for is not repeated: it is a stranger's text. */
function misdirected(public_url: string | undefined): DomainError {
  const todo =
    public_url === undefined
      ? 'Use http://localhost with its port. If the name is right, set PUBLIC_URL to the whole address and start the service again.'
      : `Use ${new URL(public_url).origin}, which PUBLIC_URL says.`
  return new DomainError('misdirected', `This service does not go by the name in the address bar. ${todo}`)
}
