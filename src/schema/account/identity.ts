/** An identity that someone else vouches for: an OpenID provider, or a proxy in front of the service. */
import { z } from 'zod'

/** The key of an identity. A provider never gives a subject to another person; names and addresses change hands. */
export type IdentityKey = { issuer: string; subject: string }

/**
 * Whether a text by which someone else names a person names one. A text without visible characters, and what is written where there is no
 * name, would be the same person for everybody: `{http.reverse_proxy.header.Remote-User}` by Caddy 2.6, `(null)` by Apache.
 */
export const namesOnePerson = (text: string): boolean =>
  !/\p{C}|^[$%]?[{([].*[)}\]]\w?$|^<.* .*>$|^<?(?:null|nil|none|undefined|-)>?$|^[\p{Z}\p{M}\p{DI}\u2800]*$/iu.test(
    text.trim(),
  )

/** `name`: the name at the issuer, shown to its owner. It decides nothing. */
export type Identity = IdentityKey & { name: string }

/** An identity as its owner sees it. */
export type LinkedIdentity = Identity & {
  created_at: Date
  /** To the minute; `null`: never. */
  last_used_at: Date | null
}

/** An identity that a provider has just vouched for. */
export type ProvenIdentity = Identity & {
  /** The groups that the provider names. */
  groups: string[]
}

/** What is needed to judge the return of a browser from the provider. */
export type ProviderAttempt = {
  state: string
  nonce: string
  /** Proves that the one who asks for the ID token also began the attempt (PKCE). */
  verifier: string
  redirect_uri: string
}

/** `current_password`: for accounts that have one. */
export const LinkForm = z.object({ current_password: z.string().max(1000).default('') })

export const UnlinkForm = z.object({ issuer: z.string().max(2000), subject: z.string().max(500) })
