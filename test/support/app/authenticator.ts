/** In this process: a device that makes and uses passkeys, in software (WebAuthn, ES256). A test changes what it answers. */
import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'

/** What a browser and its device put into an answer. By default it is true. */
export type Lies = {
  origin?: string
  rp_id?: string
  type?: string
  challenge?: string
  counter?: number
  /** User present: 1; user verified: 4. */
  flags?: number
  cross_origin?: boolean
  user_handle?: string
  /** Signs with another key. */
  forged?: boolean
  statement?: [format: string, statement: Uint8Array]
}

type OptionsToAdd = { challenge: string; rp: { id?: string }; user: { id: string } }
type OptionsToSignIn = { challenge: string; rpId?: string }

export type Device = ReturnType<typeof device>

/** Keeps one passkey. `counts`: whether it counts its uses. */
export function device(origin: string, { counts = true } = {}) {
  const { publicKey, privateKey } = keyPair()
  const id = randomBytes(16)
  let counter = 0
  let user_handle = ''

  const named = { id: id.toString('base64url'), rawId: id.toString('base64url'), type: 'public-key' as const }
  const clientData = (type: string, challenge: string, lies: Lies) =>
    Buffer.from(
      JSON.stringify({
        type: lies.type ?? type,
        challenge: lies.challenge ?? challenge,
        origin: lies.origin ?? origin,
        crossOrigin: lies.cross_origin ?? false,
      }),
    )
  const authenticatorData = (rp_id: string, { flags = 5, ...lies }: Lies, attested = Buffer.alloc(0)) => {
    if (counts) counter++
    const head = Buffer.alloc(5)
    head[0] = flags + (attested.length > 0 ? 64 : 0)
    head.writeUInt32BE(lies.counter ?? counter, 1)
    return Buffer.concat([sha256(lies.rp_id ?? rp_id), head, attested])
  }

  return {
    ...named,
    make({ challenge, rp, user }: OptionsToAdd, lies: Lies = {}) {
      user_handle = user.id
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const attested = Buffer.concat([Buffer.alloc(16), length, id, cosePublicKey(publicKey)])
      const [format, statement] = lies.statement ?? ['none', map([])]
      const attestation = map([
        [text('fmt'), text(format)],
        [text('attStmt'), statement],
        [text('authData'), bytes(authenticatorData(rp.id ?? '', lies, attested))],
      ])
      return {
        ...named,
        response: {
          clientDataJSON: clientData('webauthn.create', challenge, lies).toString('base64url'),
          attestationObject: Buffer.from(attestation).toString('base64url'),
          transports: ['internal'],
        },
      }
    },

    use({ challenge, rpId = '' }: OptionsToSignIn, lies: Lies = {}) {
      const client_data = clientData('webauthn.get', challenge, lies)
      const data = authenticatorData(rpId, lies)
      const key = lies.forged ? keyPair().privateKey : privateKey
      const signature = createSign('sha256').update(data).update(sha256(client_data)).sign(key)
      return {
        ...named,
        response: {
          clientDataJSON: client_data.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: signature.toString('base64url'),
          userHandle: lies.user_handle ?? user_handle,
        },
      }
    },
  }
}

const keyPair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })
const sha256 = (of: string | Uint8Array) => createHash('sha256').update(of).digest()

/** Kty EC2, alg ES256, curve P-256, x and y. */
function cosePublicKey(key: KeyObject): Uint8Array {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  return map([
    [int(1), int(2)],
    [int(3), int(-7)],
    [int(-1), int(1)],
    [int(-2), bytes(Buffer.from(x, 'base64url'))],
    [int(-3), bytes(Buffer.from(y, 'base64url'))],
  ])
}

// CBOR, as far as it is needed here.

function head(major: number, size: number): Buffer {
  if (size < 24) return Buffer.from([(major << 5) | size])
  if (size < 256) return Buffer.from([(major << 5) | 24, size])
  return Buffer.from([(major << 5) | 25, size >> 8, size & 255])
}
const int = (value: number) => (value < 0 ? head(1, -1 - value) : head(0, value))
const bytes = (of: Uint8Array) => Buffer.concat([head(2, of.length), of])
export const text = (of: string) => Buffer.concat([head(3, Buffer.byteLength(of)), Buffer.from(of)])
export const map = (pairs: [Uint8Array, Uint8Array][]) => Buffer.concat([head(5, pairs.length), ...pairs.flat()])
