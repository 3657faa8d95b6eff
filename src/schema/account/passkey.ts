/** A passkey: as its owner sees it, the forms that add, rename and use one, and what a browser sends about one. */
import { z } from 'zod'

export type Passkey = {
  passkey_id: string
  name: string
  created_at: Date
  /** `null`: never. */
  last_used_at: Date | null
}

/** The key in a person's device, as stored here. `counter`: how often it was used, where the device counts. */
export type Credential = { credential_id: string; public_key: Uint8Array; counter: number; transports: string[] }

export const max_passkeys = 20

/** Seconds in which a person answers the browser's question for a passkey: the attempt lasts so long, not the passkey. */
export const passkey_lasts_s = 300

const name = z.string('Enter a name.').trim().min(1, 'Enter a name.').max(60, 'Use at most 60 characters.')

export const PasskeyNameForm = z.object({ name })

/** `current_password`: for accounts that have one. */
export const PasskeyForm = z.object({ name, current_password: z.string().max(1000).default('') })

const base64url = (max_bytes: number) =>
  z
    .string()
    .regex(/^[A-Za-z0-9_-]*$/)
    .max(Math.ceil(max_bytes / 3) * 4)

/** The id of a credential. WebAuthn allows at most 1023 bytes. */
const id = base64url(1023).min(1)
const type = z.literal('public-key')

/** What a browser answers when it made a passkey. */
export const NewCredential = z.object({
  id,
  rawId: id,
  type,
  response: z.object({
    clientDataJSON: base64url(4096),
    attestationObject: base64url(64 * 1024),
    transports: z.array(z.string().max(40)).max(10).default([]),
  }),
})
export type NewCredential = z.infer<typeof NewCredential>

/** What a browser answers when a person signs in by a passkey. `userHandle`: the person, as the passkey knows them. */
export const Assertion = z.object({
  id,
  rawId: id,
  type,
  response: z.object({
    clientDataJSON: base64url(4096),
    authenticatorData: base64url(4096),
    signature: base64url(4096),
    userHandle: base64url(64),
  }),
})
export type Assertion = z.infer<typeof Assertion>

/** A field with JSON of this form. */
const jsonOf = <T extends z.ZodType>(schema: T) =>
  z
    .string()
    .max(128 * 1024)
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown
      } catch {
        context.addIssue('This is no JSON.')
        return z.NEVER
      }
    })
    .pipe(schema)

export const NewCredentialForm = z.object({ credential: jsonOf(NewCredential) })

export const AssertionForm = z.object({
  credential: jsonOf(Assertion),
  remember: z.string().optional(),
  next: z.string().optional(),
})
