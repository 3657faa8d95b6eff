/**
 * Decides which machines the service may connect to: public ones, and those that the operator lists.
 * Returns the addresses to connect to, so that the caller connects to exactly what was checked.
 *
 * A private address and an unknown name get the same answer; otherwise an account could list the names in your network.
 * Downloads are retried in both cases, because a resolver may be away for a moment.
 */
import { lookup } from 'node:dns/promises'
import type { Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'
import { parse } from 'tldts'
import { DomainError } from '../errors.ts'

export type Address = {
  address: string
  family: 4 | 6
  /** To connect to instead of the requested port. Only the policies of tests set it. */
  port?: number
  /** The operator lists it, so it is reached directly. Absent: not listed. */
  is_listed?: boolean
  /** Absent: it is reached directly. */
  way?: Way
}

/** Another way to an address than a direct connection. */
export type Way = {
  /** A connection that was made in one way is never used for a request that goes another way. */
  id: string
  /** Rejects with a `ProxyFault` if the way itself is at fault. Gives up when `signal` is aborted. */
  connect(address: string, port: number, signal?: AbortSignal): Promise<Socket>
}

export type AddressPolicy = {
  /** Resolves a host for one connection. Rejects with `address_refused`. */
  resolve(hostname: string, port: number): Promise<Address[]>
  /** For the connections of yt-dlp; absent: like all others. */
  of_ytdlp?: AddressPolicy
  /** Passwords of proxies that the connections use. Absent: none. */
  secrets?: string[]
}

type Lookup = (hostname: string) => Promise<{ address: string }[]>

/**
 * `allowed`: hosts, `host:port`s, IP addresses or CIDRs. Throws a sentence that names an item that is none of these.
 * `own`: returns the addresses of this machine; called for each check, because interfaces change.
 */
export function addressPolicy(
  allowed: string[],
  ask: Lookup = name => lookup(name, { all: true }),
  own: () => string[] = ownAddresses,
): AddressPolicy {
  const exceptions = allowed.map(exceptionOf)
  return {
    async resolve(hostname, port) {
      const host = canonicalHost(hostname)
      if (host === undefined) throw refusal()
      const isListed = (address?: string) => exceptions.some(allows => allows(host, address, port))
      if (isListed()) return (await addressesOf(host, ask)).map(address => ({ ...address, is_listed: true }))
      const found = insideName.test(host) ? [] : await addressesOf(host, ask)
      const isOurs = sameMachine(own())
      // A public name with an inside address among its addresses is an attack, so all of them must be allowed.
      const fits = ({ address }: Address) =>
        (isPublic(address) && !isOurs(address) && isWebPort(port)) || isListed(address)
      if (found.length === 0 || !found.every(fits)) throw refusal()
      return found.map(one => (isListed(one.address) ? { ...one, is_listed: true } : one))
    },
  }
}

/** Reading the interfaces takes a fifth of the time of a request, so the answer is used for a second. */
let interfaces: { read_at: number; addresses: string[] } | undefined

/** The addresses of all interfaces. Even a public one would reach services behind this machine's own firewall. */
export function ownAddresses(): string[] {
  const now = performance.now()
  if (interfaces && now - interfaces.read_at < 1000) return interfaces.addresses
  const addresses = Object.values(networkInterfaces()).flatMap(all => (all ?? []).map(({ address }) => address))
  interfaces = { read_at: now, addresses }
  return addresses
}

/** Whether an address is one of `own`, even embedded in an IPv6 address. */
function sameMachine(own: string[]): (address: string) => boolean {
  const known = new Set(own.flatMap(formsOf))
  return address => formsOf(address).some(form => known.has(form))
}

/** An address in one spelling, and the IPv4 addresses embedded in it. */
function formsOf(address: string): string[] {
  if (!ipaddr.isValid(address)) return []
  const parsed = ipaddr.parse(address)
  const inner = parsed instanceof ipaddr.IPv6 ? (carried(parsed) ?? []) : []
  return [parsed.toString(), ...inner.map(bytes => bytes.join('.'))]
}

/** The answer for an inside address and for an unknown name: two answers would reveal the names of this network to a stranger. */
const refusal = (cause?: unknown) =>
  new DomainError(
    'address_refused',
    'This address does not lead to a public site. Check the spelling, or use a public address.',
    { cause },
  )

/** Names of this machine or network by definition, whatever the resolver answers (RFC 6761, ICANN). */
const insideName = /(^|\.)(localhost|localdomain|internal)$|^ip6-[a-z]+$/

/** Whether the name of a host is below a suffix of the public internet, so not the name of a home network, a reserved one or an address. */
export function isPublicName(hostname: string): boolean {
  const { domain, isIcann, publicSuffix } = parse(hostname)
  // The list of suffixes has these two, whose names no public resolver knows.
  return domain !== null && isIcann === true && !/(^|\.)(arpa|onion)$/.test(publicSuffix ?? '')
}

/** Other ports below 1024 belong to mail, SSH and so on, never to feeds. */
const isWebPort = (port: number) => port === 80 || port === 443 || port >= 1024

/** The spelling of a URL: `0x7f.1` is 127.0.0.1, `LOCALHOST.` is localhost. IPv6 without brackets. */
function canonicalHost(hostname: string): string | undefined {
  const bare = hostname.replace(/^\[|\]$/g, '')
  const url = `http://${bare.includes(':') ? `[${bare}]` : bare}/`
  if (bare === '' || /[/?#@\\\s]/.test(bare)) return undefined
  return URL.parse(url)
    ?.hostname.replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
}

async function addressesOf(host: string, ask: Lookup): Promise<Address[]> {
  const found = ipaddr.isValid(host) ? [{ address: host }] : await ask(host).catch(unknownHost)
  return found.map(({ address }) => ({ address, family: ipaddr.parse(address).kind() === 'ipv4' ? 4 : 6 }))
}

function unknownHost(cause: unknown): never {
  throw refusal(cause)
}

/** Whether an address belongs to the public internet. For a tunnel the embedded address counts. */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.range() === 'unicast' && !hostsOfClouds.has(parsed.toString())
  const inner = carried(parsed)
  if (inner) return inner.every(bytes => isPublic(bytes.join('.')))
  const isGlobal = ((parsed.parts[0] ?? 0) & 0xe000) === 0x2000
  return isGlobal && parsed.range() === 'unicast'
}

/** Public addresses that lead to the machine's own cloud host (Azure). */
const hostsOfClouds = new Set(['168.63.129.16'])

/** The IPv4 addresses embedded in an IPv6 address; undefined when its range has none. */
function carried(address: ipaddr.IPv6): number[][] | undefined {
  const bytes = address.toByteArray()
  switch (address.range()) {
    case 'ipv4Mapped':
      return [bytes.slice(12)]
    case 'rfc6052':
      // Only the well-known prefix: 64:ff9b:1::/48 is for local use.
      return bytes[5] === 0 ? [bytes.slice(12)] : undefined
    case '6to4':
      return [bytes.slice(2, 6)]
    case 'teredo':
      return [bytes.slice(4, 8), bytes.slice(12).map(byte => byte ^ 0xff)]
    default:
      return undefined
  }
}

/** Whether the operator lists this host, on any port. */
export function listedIn(allowed: string[]): (hostname: string) => boolean {
  const exceptions = allowed.map(exceptionOf)
  return hostname => {
    const host = canonicalHost(hostname)
    if (host === undefined) return false
    return exceptions.some(allows => allows(host, ipaddr.isValid(host) ? host : undefined, undefined))
  }
}

/** Whether an address is in this list of addresses and CIDRs; `loopback`: this machine. Throws a sentence for any other item. */
export function amongThem(listed: string[]): (address: string) => boolean {
  const ranges = listed.flatMap(item => (item === 'loopback' ? ['127.0.0.0/8', '::1'] : [item])).map(networkAt)
  return address => ranges.length > 0 && ipaddr.isValid(address) && ranges.some(range => isWithin(address, range))
}

function networkAt(item: string): Range {
  const range = rangeOf(item)
  if (!range) throw new Error(`TRUSTED_PROXIES has "${item}": give an address, a CIDR or the word loopback.`)
  return range
}

/** The part of an address that identifies one customer: the whole IPv4 address, or the first 64 bits of an IPv6 address. */
export function customerAt(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  return `${new ipaddr.IPv6([...parsed.parts.slice(0, 4), 0, 0, 0, 0])}/64`
}

/** `address`: undefined while only the name is known. `port`: undefined for any port. */
type Exception = (host: string, address: string | undefined, port: number | undefined) => boolean

function exceptionOf(item: string): Exception {
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(item) ?? []
  const name = bracketed ?? plain ?? item
  const fitsPort = (port?: number) => digits === undefined || port === undefined || Number(digits) === port
  const range = rangeOf(name)
  if (range) return (_, address, port) => address !== undefined && fitsPort(port) && isWithin(address, range)
  const host = name.includes(':') || name.includes('/') ? undefined : canonicalHost(name)
  if (host === undefined) throw new Error(`ALLOWED_ADDRESSES has "${item}": give a host, host:port, address or CIDR.`)
  return (asked, _, port) => asked === host && fitsPort(port)
}

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number]

function rangeOf(text: string): Range | undefined {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text)
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text)) return undefined
  const address = ipaddr.parse(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

/** An IPv4 address written as IPv6 (`::ffff:10.0.0.1`) is the same machine. */
function isWithin(address: string, [network, bits]: Range): boolean {
  const parsed = network.kind() === 'ipv4' ? ipaddr.process(address) : ipaddr.parse(address)
  return parsed.kind() === network.kind() && parsed.match(network, bits)
}
