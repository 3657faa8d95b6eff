/** Posts a form to a hub, within limits of destination and time. The hub's text is not read. */
import type { AddressPolicy } from '../../net/addresses.ts'
import { portOf } from '../../net/judged.ts'
import { currentTime } from '../../runtime/clock.ts'
import { retryAfterOf } from './answer.ts'
import { inTime, redirectOf, sendRequest, webAddress } from './request.ts'

/** `retry_after_s`: the hub wants no request for this long. */
export type HubAnswer = { status: number; retry_after_s: number | undefined }

/** Throws `address_refused`, `feed_timeout` or `feed_failed`; when `signal` is aborted, its reason. */
export type SendToHub = (hub: string, fields: Record<string, string>, signal?: AbortSignal) => Promise<HubAnswer>

const limits = { timeout_ms: 10_000, max_redirects: 3 }

/**
 * The policy judges each address. Only a redirect that keeps the method is followed (WebSub §5.1.2), and no redirect that leaves https,
 * because the form contains a secret.
 */
export const createHubSender =
  ({ policy, timeout_ms = limits.timeout_ms }: { policy: AddressPolicy; timeout_ms?: number }): SendToHub =>
  (hub, fields, signal) =>
    inTime(signal, timeout_ms, async stop => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const body = new URLSearchParams(fields).toString()
      let url = webAddress(hub)
      for (let hops = 0; ; hops++) {
        const addresses = await policy.resolve(url.hostname, portOf(url))
        stop.throwIfAborted()
        const response = await sendRequest(url, addresses, { method: 'POST', headers, body }, stop)
        response.destroy()
        const { statusCode: status = 0 } = response
        const next = status === 307 || status === 308 ? redirectOf(response, url) : undefined
        const is_safe = next !== undefined && (next.protocol === 'https:' || url.protocol === 'http:')
        if (!is_safe || hops === limits.max_redirects) {
          const waits = status === 429 || status === 503
          return {
            status,
            retry_after_s: waits ? retryAfterOf(response.headers['retry-after'], currentTime()) : undefined,
          }
        }
        url = next
      }
    })
