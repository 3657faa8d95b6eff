/**
 * On loopback: a WebSub hub (W3C Recommendation of 2018). It takes subscriptions, verifies them at the callback, bounds their leases,
 * signs and delivers what a test publishes, and stops at 410.
 */
import { createHmac, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

type HubSubscription = { topic: string; callback: string; secret: string | undefined; until: number }
type HubRequestSeen = { fields: Record<string, string>; verified?: number }
export type Signing = { algorithm?: string; with_secret?: string; unsigned?: true }

type Options = {
  default_lease?: number
  least_lease?: number
  most_lease?: number
  /** Verifies before it answers 202, as some hubs do. */
  verifies_first?: boolean
}

/** Closed at the end of the test. */
export async function hubOnLoopback(options: Options = {}) {
  const { default_lease = 432_000, least_lease = 300, most_lease = 828_000, verifies_first = false } = options
  const subscriptions = new Map<string, HubSubscription>()
  const seen: HubRequestSeen[] = []
  let answering: ((request: IncomingMessage, response: ServerResponse) => void) | undefined

  /** The status of the callback's answer; 200 counts only with exactly the challenge. */
  async function verify(mode: string, topic: string, callback: string, more: Record<string, string> = {}) {
    const challenge = randomBytes(16).toString('hex')
    const fields = { mode, topic, challenge, ...more }
    const answer = await fetch(withQuery(callback, fields), { redirect: 'manual' })
    const text = await answer.text()
    return answer.status === 200 && text !== challenge ? 0 : answer.status
  }

  async function change(fields: Record<string, string>, request: HubRequestSeen) {
    const { 'hub.mode': mode = '', 'hub.topic': topic = '', 'hub.callback': callback = '' } = fields
    const wanted = Number(fields['hub.lease_seconds']) || default_lease
    const lease = Math.min(most_lease, Math.max(least_lease, wanted))
    const more = mode === 'subscribe' ? { lease_seconds: String(lease) } : undefined
    request.verified = await verify(mode, topic, callback, more)
    if (request.verified !== 200) return
    const key = `${callback} ${topic}`
    if (mode === 'unsubscribe') subscriptions.delete(key)
    else subscriptions.set(key, { topic, callback, secret: fields['hub.secret'], until: Date.now() + lease * 1000 })
  }

  async function take(request: IncomingMessage, response: ServerResponse) {
    const fields = Object.fromEntries(new URLSearchParams(await textOf(request)))
    const noted: HubRequestSeen = { fields }
    seen.push(noted)
    const refuse = (status: number) => response.writeHead(status).end()
    if (request.method !== 'POST' || request.headers['content-type'] !== 'application/x-www-form-urlencoded')
      return refuse(400)
    if (!/^(un)?subscribe$/.test(fields['hub.mode'] ?? '') || !fields['hub.topic'] || !fields['hub.callback'])
      return refuse(400)
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
    port,
    subscriptions,
    /** Every request that arrived, with the status of its verification. */
    seen,
    verify,
    /** From now on every request is answered like this; undefined: as a hub. */
    answer(as: typeof answering) {
      answering = as
    },
    /** Says at any time that a subscription is refused. Returns the status of the callback. */
    async deny(topic: string, callback: string, reason = 'no') {
      return (await fetch(withQuery(callback, { mode: 'denied', topic, reason }))).status
    },
    /** Delivers to everyone who subscribed to the topic. Returns the statuses. */
    async publish(topic: string, body: string | Uint8Array, signing: Signing = {}): Promise<number[]> {
      const statuses: number[] = []
      for (const [key, subscription] of subscriptions) {
        if (subscription.topic !== topic || subscription.until < Date.now()) continue
        const headers = {
          'content-type': 'application/atom+xml',
          link: `<${url}>; rel="hub", <${topic}>; rel="self"`,
          ...signatureOf(body, subscription.secret, signing),
        }
        const { status } = await fetch(subscription.callback, { method: 'POST', headers, body: body as BodyInit })
        statuses.push(status)
        if (status === 410) subscriptions.delete(key)
      }
      return statuses
    },
  }
}

/** Google's hub signs with SHA-1. */
export function signatureOf(body: string | Uint8Array, secret: string | undefined, signing: Signing = {}) {
  const { algorithm = 'sha1', with_secret = secret, unsigned } = signing
  if (unsigned || with_secret === undefined) return {}
  return { 'x-hub-signature': `${algorithm}=${createHmac(algorithm, with_secret).update(body).digest('hex')}` }
}

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
