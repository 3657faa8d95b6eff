/**
 * On loopback: a WebSub hub (W3C Recommendation of 2018). It takes subscriptions, verifies them at the callback, bounds their leases,
 * signs and delivers what a test publishes, and stops at 410.
 */
import { createHmac, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

type HubSubscription = { topic: string; callback: string; secret: string; until: number }
type HubRequestSeen = { fields: Record<string, string>; verified?: number }

/** Seconds. */
const longest_lease = 828_000

/** Closed at the end of the test. `verifies_first`: before it answers 202, as some hubs do. */
export async function hubOnLoopback({ verifies_first = false } = {}) {
  const subscriptions = new Map<string, HubSubscription>()
  const seen: HubRequestSeen[] = []
  let answering: ((request: IncomingMessage, response: ServerResponse) => void) | undefined

  /** The status of the callback's answer; 200 counts only with exactly the challenge. */
  async function verify(topic: string, callback: string, lease_s: number) {
    const challenge = randomBytes(16).toString('hex')
    const fields = { mode: 'subscribe', topic, challenge, lease_seconds: String(lease_s) }
    const answer = await fetch(withQuery(callback, fields), { redirect: 'manual' })
    const text = await answer.text()
    return answer.status === 200 && text !== challenge ? 0 : answer.status
  }

  async function change(fields: Record<string, string>, request: HubRequestSeen) {
    const { 'hub.topic': topic = '', 'hub.callback': callback = '' } = fields
    const lease = Math.min(longest_lease, Number(fields['hub.lease_seconds']))
    request.verified = await verify(topic, callback, lease)
    if (request.verified !== 200) return
    subscriptions.set(`${callback} ${topic}`, {
      topic,
      callback,
      secret: fields['hub.secret'] ?? '',
      until: Date.now() + lease * 1000,
    })
  }

  async function take(request: IncomingMessage, response: ServerResponse) {
    const fields = Object.fromEntries(new URLSearchParams(await textOf(request)))
    const noted: HubRequestSeen = { fields }
    seen.push(noted)
    const refuse = (status: number) => response.writeHead(status).end()
    if (request.method !== 'POST' || request.headers['content-type'] !== 'application/x-www-form-urlencoded')
      return refuse(400)
    if (fields['hub.mode'] !== 'subscribe' || !fields['hub.topic'] || !fields['hub.callback']) return refuse(400)
    if (Buffer.byteLength(fields['hub.secret'] ?? '') >= 200) return refuse(400)
    if (verifies_first) await change(fields, noted)
    refuse(202)
    if (!verifies_first) await change(fields, noted).catch(() => {})
  }

  const server = createServer((request, response) => {
    if (answering) return answering(request, response)
    take(request, response).catch(() => response.destroy())
  })
  await new Promise<void>(ready => server.listen(0, '127.0.0.1', ready))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/`

  return {
    url,
    subscriptions,
    /** Every request that arrived, with the status of its verification. */
    seen,
    /** From now on every request is answered like this; undefined: as a hub. */
    answer(as: typeof answering) {
      answering = as
    },
    /** Delivers to everyone who subscribed to the topic. Returns the statuses. */
    async publish(topic: string, body: string): Promise<number[]> {
      const statuses: number[] = []
      for (const [key, subscription] of subscriptions) {
        if (subscription.topic !== topic || subscription.until < Date.now()) continue
        const headers = {
          'content-type': 'application/atom+xml',
          link: `<${url}>; rel="hub", <${topic}>; rel="self"`,
          ...signatureOf(body, subscription.secret),
        }
        const { status } = await fetch(subscription.callback, { method: 'POST', headers, body })
        statuses.push(status)
        if (status === 410) subscriptions.delete(key)
      }
      return statuses
    },
  }
}

/** Google's hub signs with SHA-1. */
export const signatureOf = (body: string, secret: string, algorithm = 'sha1') => ({
  'x-hub-signature': `${algorithm}=${createHmac(algorithm, secret).update(body).digest('hex')}`,
})

/** The callback's own query stays. */
function withQuery(callback: string, fields: Record<string, string>): URL {
  const url = new URL(callback)
  for (const [name, value] of Object.entries(fields)) url.searchParams.append(`hub.${name}`, value)
  return url
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const piece of request) text += piece
  return text
}
