/** Sends requests to exactly the addresses that the policy allowed for their host. */
import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import type { Address } from './addresses.ts'

/** Resolves when the answer begins. `addresses`: those that were allowed, of which one is connected to. */
export function sendTo(
  addresses: Address[],
  url: URL,
  options: RequestOptions,
  body?: string | Uint8Array,
): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  const port = addresses[0]?.port
  return new Promise((resolve, reject) => {
    const sent = request(url, { ...options, lookup: lookupOf(addresses), ...(port !== undefined && { port }) })
    sent.once('response', resolve)
    // Also after the answer began: otherwise a connection that breaks off would end the process.
    sent.on('error', reject)
    sent.end(body)
  })
}

/** Replaces the resolver when connecting, so that the name is not resolved a second time. */
const lookupOf =
  (addresses: Address[]): LookupFunction =>
  (_, { all }, done) =>
    all ? done(null, addresses) : done(null, addresses[0]?.address ?? '', addresses[0]?.family)

export const portOf = ({ port, protocol }: URL): number =>
  port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
