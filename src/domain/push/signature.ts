/** Checks the signature of a delivery while its body arrives, so that the body is never kept in memory. */
import { createHmac, timingSafeEqual } from 'node:crypto'

/** The methods of WebSub §7, and the bytes of their digests. */
const methods: Record<string, number> = { sha1: 20, sha256: 32, sha384: 48, sha512: 64 }

export type SignatureCheck = {
  add(piece: Uint8Array): void
  /** Whether the hub that knows the secret signed exactly these bytes. Called once, after the last piece. */
  matches(): boolean
}

/** `header`: `method=hexadecimal digest`. `undefined`: there is no signature that could be right. */
export function signatureCheck(header: string | undefined, secret: string): SignatureCheck | undefined {
  const [, method = '', digest = ''] = /^\s*(sha\d{1,3})=([0-9a-f]{40,128})\s*$/i.exec(header ?? '') ?? []
  const name = method.toLowerCase()
  if (!Object.hasOwn(methods, name) || digest.length !== 2 * (methods[name] ?? 0)) return undefined
  const hmac = createHmac(name, secret)
  return {
    add: piece => void hmac.update(piece),
    matches: () => timingSafeEqual(hmac.digest(), Buffer.from(digest, 'hex')),
  }
}
