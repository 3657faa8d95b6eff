/** Encrypts what is stored for one purpose, and reads it again: AES-256-GCM, with a key made of SECRET_KEY for that purpose alone. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** The first byte of what is sealed names the form of the rest: nonce, tag and the encrypted text. */
const version = 1
const [nonce_bytes, tag_bytes] = [12, 16]
const cipher = 'aes-256-gcm'

/** `purpose`: what it is and whose, such as a table with the key of a row. It cannot be opened for another one. */
export function seal(secret_key: string, purpose: string, text: string): Uint8Array {
  const nonce = randomBytes(nonce_bytes)
  const sealing = createCipheriv(cipher, keyFor(secret_key, purpose), nonce).setAAD(Buffer.from(purpose))
  const sealed = Buffer.concat([sealing.update(text, 'utf8'), sealing.final()])
  return Buffer.concat([Buffer.of(version), nonce, sealing.getAuthTag(), sealed])
}

/** `undefined`: it was sealed with another key or for another purpose, or was changed. */
export function unseal(secret_key: string, purpose: string, sealed: Uint8Array): string | undefined {
  const bytes = Buffer.from(sealed)
  const tag_at = 1 + nonce_bytes
  const text_at = tag_at + tag_bytes
  const [nonce, tag] = [bytes.subarray(1, tag_at), bytes.subarray(tag_at, text_at)]
  if (bytes[0] !== version || tag.length < tag_bytes) return undefined
  const opening = createDecipheriv(cipher, keyFor(secret_key, purpose), nonce, { authTagLength: tag_bytes })
  opening.setAAD(Buffer.from(purpose)).setAuthTag(tag)
  try {
    return Buffer.concat([opening.update(bytes.subarray(text_at)), opening.final()]).toString('utf8')
  } catch {
    return undefined
  }
}

const keyFor = (secret_key: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret_key, '', `backlot ${purpose}`, 32))
