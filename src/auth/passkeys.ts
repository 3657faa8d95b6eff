/**
 * Makes the options with which browsers make and use passkeys (WebAuthn), and checks what they answer. Every passkey can be found without
 * a name (discoverable) and verifies its person by a PIN, a finger or a face, so it replaces name and password.
 *
 * Only this file uses SimpleWebAuthn. It is loaded, and takes 28 MB, when the first person uses a passkey.
 */
import { loadedOnce } from '../runtime/cache.ts'
import { type Assertion, type Credential, type NewCredential, passkey_lasts_s } from '../schema/account/passkey.ts'
import type { User, UserId } from '../schema/values/user.ts'

const webauthn = loadedOnce(async () => ({
  ...(await import('@simplewebauthn/server')),
  ...(await import('@simplewebauthn/server/helpers')),
}))

/** Where passkeys belong to: they are bound to the host name, and browsers name the origin of the page. */
export type Site = { host_name: string; origin: string }

/** EdDSA, ES256 and RS256, which all devices and every runtime know. */
const algorithms = [-8, -7, -257]

/** `known`: the passkeys of this person. The device that has one of them makes no second one. */
export async function optionsToAdd({ host_name }: Site, { user_id, username }: User, known: Credential[]) {
  const { generateRegistrationOptions } = await webauthn()
  return generateRegistrationOptions({
    rpName: 'Backlot',
    rpID: host_name,
    userName: username,
    userDisplayName: username,
    userID: new Uint8Array(bytesOf(user_id)),
    attestationType: 'none',
    excludeCredentials: known.map(({ credential_id, transports }) => ({ id: credential_id, transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: algorithms,
    timeout: passkey_lasts_s * 1000,
  })
}

export async function optionsToSignIn({ host_name }: Site) {
  const { generateAuthenticationOptions } = await webauthn()
  return generateAuthenticationOptions({
    rpID: host_name,
    userVerification: 'required',
    timeout: passkey_lasts_s * 1000,
  })
}

/** `undefined`: the answer is not one to this challenge on this site. */
export async function newCredentialIn(
  { host_name, origin }: Site,
  challenge: string,
  answer: NewCredential,
): Promise<Credential | undefined> {
  const { verifyRegistrationResponse, ...helpers } = await webauthn()
  try {
    if (isFramed(helpers, answer)) return undefined
    const checked = await verifyRegistrationResponse({
      response: {
        ...answer,
        response: {
          ...answer.response,
          attestationObject: withoutStatement(helpers, answer.response.attestationObject),
        },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: host_name,
      supportedAlgorithmIDs: algorithms,
    })
    if (!checked.verified) return undefined
    const { id, publicKey, counter } = checked.registrationInfo.credential
    if (id !== answer.id) return undefined
    return { credential_id: id, public_key: publicKey, counter, transports: answer.response.transports }
  } catch {
    // What cannot be read or does not fit is thrown.
    return undefined
  }
}

/** The new counter. `undefined`: the answer is not one to this challenge on this site by this passkey. */
export async function checkAssertion(
  { host_name, origin }: Site,
  challenge: string,
  { credential_id, public_key, counter }: Credential,
  answer: Assertion,
): Promise<number | undefined> {
  const { verifyAuthenticationResponse, ...helpers } = await webauthn()
  try {
    if (isFramed(helpers, answer)) return undefined
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...answer, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: host_name,
      credential: { id: credential_id, publicKey: new Uint8Array(public_key), counter },
    })
    return verified ? authenticationInfo.newCounter : undefined
  } catch {
    return undefined
  }
}

/** The person as a passkey knows them: the 16 bytes of the id. */
export const handleOf = (user_id: UserId): string => bytesOf(user_id).toString('base64url')

const bytesOf = (user_id: UserId) => Buffer.from(user_id.replaceAll('-', ''), 'hex')

type Helpers = Omit<Awaited<ReturnType<typeof webauthn>>, `verify${string}Response`>

/** No page of ours may be in a frame of another site, so no such answer is true. SimpleWebAuthn accepts it from some browsers. */
const isFramed = ({ decodeClientDataJSON }: Helpers, { response }: { response: { clientDataJSON: string } }) =>
  decodeClientDataJSON(response.clientDataJSON).crossOrigin === true

/**
 * What the maker of a device states about it is dropped unread: we do not ask for it, and checking it would fetch lists of revoked
 * certificates from an address that the sender chose.
 */
function withoutStatement({ decodeAttestationObject, isoBase64URL, isoCBOR }: Helpers, attestation: string): string {
  const authData = decodeAttestationObject(isoBase64URL.toBuffer(attestation)).get('authData')
  const bare = new Map<string, string | Map<string, string> | Uint8Array>([
    ['fmt', 'none'],
    ['attStmt', new Map<string, string>()],
    ['authData', authData],
  ])
  return isoBase64URL.fromBuffer(isoCBOR.encode(bare))
}
