/**
 * A `fetch` for the OpenID provider that the operator names: no redirects, bounded answers, and only addresses that a policy allows.
 * Uses `node:http`, because only `node:http` can connect to exactly the address that the policy allowed.
 *
 * The operator names the issuer, so its host and port may be private: most providers at home are. The other addresses come from the
 * provider's own document, and must be public or listed in ALLOWED_ADDRESSES, so that a provider that was taken over opens no way into the
 * network behind this service.
 */
import type { IncomingMessage } from 'node:http'
import { type AddressPolicy, addressPolicy } from './addresses.ts'
import { bytesOf, portOf, sendJudged } from './judged.ts'

/** A request as `openid-client` makes it. */
type Outgoing = { method: string; headers: Record<string, string>; body?: unknown; signal?: AbortSignal }
export type ProviderFetch = (url: string, outgoing: Outgoing) => Promise<Response>

/** The documents of providers have some ten thousand bytes. */
const max_bytes = 1024 * 1024

export function providerFetch(issuer: string, policy: AddressPolicy): ProviderFetch {
  const own = new URL(issuer)
  const trusting = addressPolicy([`${own.hostname}:${portOf(own)}`])
  const isOwn = (url: URL) => url.hostname === own.hostname && portOf(url) === portOf(own)

  return async (address, { method, headers, body, signal }) => {
    const url = new URL(address)
    const options = { method, headers, ...(signal && { signal }) }
    const answer = await sendJudged(
      isOwn(url) ? trusting : policy,
      url,
      options,
      body == null ? undefined : String(body),
    )
    return responseOf(answer, await bytesOf(answer, max_bytes, tooMuch))
  }
}

const tooMuch = () => new Error(`The provider sent more than ${max_bytes} bytes.`)

function responseOf({ statusCode: status = 0, headers }: IncomingMessage, body: Buffer<ArrayBuffer>): Response {
  const copied = new Headers()
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) copied.set(name, String(value))
  // A response without a body may not be made with one.
  return new Response([204, 205, 304].includes(status) ? null : body, { status, headers: copied })
}
