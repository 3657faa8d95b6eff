/**
 * On loopback: a push service and the browser behind it. The service checks the identity of the sender (VAPID, RFC 8292) with the keys of
 * node:crypto, and the browser decrypts with `http_ece`; neither shares code with the sender.
 */
import { createECDH, createPublicKey, randomBytes, verify } from 'node:crypto'
import { decrypt } from 'http_ece'
import { receiver } from './receiver.ts'

const max_body_bytes = 4096
const max_topic = 32

/** `status`: of every answer, once the request is right. */
export async function pushService({ status = 201 } = {}) {
  const browser = createECDH('prime256v1')
  const p256dh = browser.generateKeys().toString('base64url')
  const auth = randomBytes(16).toString('base64url')
  const identities: { public_key: string; sub: string }[] = []

  const service = await receiver(({ method, headers, body }) => {
    const [, token = '', key = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(headers.authorization ?? '') ?? []
    const claims = claimsIn(token, key)
    if (!claims || claims.aud !== service.url) return 403
    // Within a day (RFC 8292 §2).
    if (!(claims.exp > Date.now() / 1000 && claims.exp <= Date.now() / 1000 + 86_400)) return 403
    if (!/^(?:mailto:|https:)/.test(claims.sub)) return 403
    identities.push({ public_key: key, sub: claims.sub })
    if (method !== 'POST' || headers['content-encoding'] !== 'aes128gcm' || !/^\d+$/.test(headers.ttl as string))
      return 400
    if (!/^[\w-]+$/.test(String(headers.topic)) || String(headers.topic).length > max_topic) return 400
    return body.length > max_body_bytes ? 413 : status
  })

  return {
    ...service,
    identities,
    /** As the browser hands it over. */
    subscription: { endpoint: `${service.url}/push/browser-1`, keys: { p256dh, auth } },
    /** What the service worker of the browser would get. */
    messages: () =>
      service.requests.map(({ body }) => {
        const plain = decrypt(body, { version: 'aes128gcm', privateKey: browser, authSecret: auth })
        return JSON.parse(plain.toString()) as Record<string, unknown>
      }),
  }
}

/** `undefined`: the token is not signed by this key. */
function claimsIn(token: string, key: string): { aud: string; exp: number; sub: string } | undefined {
  const [head = '', claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(key, 'base64url')
  if (point.length !== 65 || JSON.parse(text(head)).alg !== 'ES256') return undefined
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map(half => half.toString('base64url'))
  const public_key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' }, format: 'jwk' })
  const signed = Buffer.from(`${head}.${claims}`)
  const with_key = { key: public_key, dsaEncoding: 'ieee-p1363' } as const
  return verify('sha256', signed, with_key, Buffer.from(signature, 'base64url')) ? JSON.parse(text(claims)) : undefined
}

const text = (part: string) => Buffer.from(part, 'base64url').toString()
