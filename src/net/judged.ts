/** Sends requests to exactly the addresses that a policy allows for their host, without redirects. */
import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { unlessAborted } from '../runtime/turns.ts'
import { upTo } from '../runtime/up-to.ts'
import type { Address, AddressPolicy } from './addresses.ts'

type Body = string | Uint8Array | undefined

/** Resolves when the answer begins. Rejects with `address_refused`, and with the reason of `signal`. */
export async function sendJudged(
  policy: AddressPolicy,
  url: URL,
  {
    headers,
    signal,
    ...options
  }: Pick<RequestOptions, 'method' | 'signal'> & { headers: Record<string, string | number> },
  body?: Body,
): Promise<IncomingMessage> {
  const resolving = policy.resolve(url.hostname, portOf(url))
  // Name resolution cannot be stopped, but we need not wait for it.
  const addresses = await (signal ? unlessAborted(resolving, signal) : resolving)
  const all = { ...options, agent: false, headers: { host: url.host, ...headers }, ...(signal && { signal }) }
  return sendTo(addresses, url, all, body)
}

/** The whole of an answer. Rejects with what `tooMuch` makes if the answer has more bytes than `most`. */
export const bytesOf = async (
  answer: IncomingMessage,
  most: number,
  tooMuch: () => Error,
): Promise<Buffer<ArrayBuffer>> =>
  Buffer.concat(await Array.fromAsync(upTo(most, answer as AsyncIterable<Buffer>, tooMuch)))

/** Why a request got no answer, without text of the other side. `who`: such as "receiver". */
export const faultWords = (fault: unknown, who: string): string =>
  /CERT|SSL|TLS|SELF_SIGNED|LEAF_SIGNATURE/.test(String((fault as { code?: unknown } | undefined)?.code ?? ''))
    ? `The certificate of the ${who} is not valid.`
    : `The ${who} could not be reached.`

/** Resolves when the answer begins. `addresses`: those that were allowed, of which one is connected to. */
export function sendTo(addresses: Address[], url: URL, options: RequestOptions, body?: Body): Promise<IncomingMessage> {
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
