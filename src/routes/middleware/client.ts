/**
 * Where a request comes from and where people see this site, told by the connection; and by a proxy, if it is one of ours.
 * What anybody else writes into the same headers is not read at all.
 */
import { createMiddleware } from 'hono/factory'
import { amongThem, customerAt } from '../../net/addresses.ts'
import type { Env } from './context.ts'

type Trust = (address: string) => boolean
type Headers = (name: string) => string | undefined

/** The address that asked, and what the proxies nearest to us say of the address bar; `undefined`: they say nothing. */
export type Origin = { address: string; protocol: string | undefined; host: string | undefined }

/** Each proxy notes on the right whom it heard; so this walks from our own connection to the left, as long as it may believe. */
export function originOf(remote_address: string, header: Headers, isTrusted: Trust): Origin {
  const told = itemsOf(header('x-forwarded-for')).reverse()
  let address = remote_address
  let hops = 0
  while (isTrusted(address)) {
    const before = addressIn(told[hops++] ?? '')
    if (before === undefined) break
    address = before
  }
  if (hops === 0) return { address, protocol: undefined, host: undefined }
  const said = (name: string, form: RegExp) => {
    const items = itemsOf(header(name))
    const item = items.at(-hops) ?? items[0]
    return item !== undefined && form.test(item) ? item.toLowerCase() : undefined
  }
  return { address, protocol: said('x-forwarded-proto', web), host: said('x-forwarded-host', host_and_port) }
}

const web = /^https?$/i
const host_and_port = /^(?:[a-z0-9](?:[a-z0-9._-]{0,252}[a-z0-9])?|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i

const itemsOf = (list: string | undefined) => (list === undefined ? [] : list.split(',').map(item => item.trim()))

/** `192.0.2.7`, and as some proxies write it: `192.0.2.7:4711`, `[2001:db8::7]:4711`. */
function addressIn(item: string): string | undefined {
  const [, bracketed, plain] = /^(?:\[([0-9a-f:.]+)\](?::\d+)?|([0-9.]+)(?::\d+)?)$/i.exec(item) ?? []
  const address = bracketed ?? plain ?? item
  return isAddress(address) ? address : undefined
}

const isAddress = (text: string) => anywhere(text)
const anywhere = amongThem(['0.0.0.0/0', '::/0'])

/** Sets `client`, to count by, and `here`. */
export function clientFrom(trusted_proxies: string[], public_url: string | undefined) {
  const isTrusted = amongThem(trusted_proxies)
  return createMiddleware<Env>(async (c, next) => {
    const { address, protocol, host } = originOf(c.env?.remote_address ?? '', name => c.req.header(name), isTrusted)
    c.set('client', customerAt(address))
    c.set('here', public_url === undefined ? hereOf(new URL(c.req.url), protocol, host) : new URL(public_url))
    await next()
  })
}

function hereOf(asked: URL, protocol: string | undefined, host: string | undefined): URL {
  const at = `${protocol ?? asked.protocol.slice(0, -1)}://${host ?? asked.host}`
  return URL.canParse(at) ? new URL(asked.pathname + asked.search, at) : asked
}
