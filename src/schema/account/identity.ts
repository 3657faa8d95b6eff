/** An identity that someone else vouches for: an OpenID provider, or a proxy in front of the service. */

/** Its key. A provider never gives a subject to another person; names and addresses change hands. */
export type IdentityKey = { issuer: string; subject: string }

/** `name`: the name at the issuer, shown to its owner. It decides nothing. */
export type Identity = IdentityKey & { name: string }

/** An identity as its owner sees it. */
export type LinkedIdentity = Identity & {
  created_at: Date
  /** To the minute; `null`: never. */
  last_used_at: Date | null
}
