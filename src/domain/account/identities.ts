/** Signs in by an identity that a provider vouches for, and links identities to the accounts of their owners. */
import type { Identities } from '../../db/account/identities.ts'
import type { Library } from '../../db/library.ts'
import { DomainError } from '../../errors.ts'
import type { Identity, IdentityKey, ProvenIdentity } from '../../schema/account/identity.ts'
import type { StoredUser } from '../../schema/values/user.ts'
import { type Authenticator, accountLocked } from './sign-in.ts'

/**
 * `registration` off: an identity gets a new account only if there is no account yet. `admin_group`: its members are administrators, and
 * others are not. `actor`: who acts in the log when a role changes.
 */
export type ProviderRules = {
  label: string
  actor: string
  registration: 'on' | 'off'
  admin_group: string | undefined
}

/** Throws `forbidden` if the account is locked, or if the identity has no account and may not get one. */
export async function signInByProvider(
  { accounts, identities }: Authenticator,
  identity: ProvenIdentity,
  rules: ProviderRules,
): Promise<StoredUser> {
  const account = (await identities.find(identity)) ?? (await newAccount(identities, identity, rules))
  if (account.locked_at) throw accountLocked()
  if (rules.admin_group === undefined) return account
  const role = identity.groups.includes(rules.admin_group) ? 'admin' : 'member'
  if (role === account.role || !(await accounts.changeRole(account, role, rules.actor))) return account
  return { ...account, role }
}

async function newAccount(
  identities: Identities,
  identity: ProvenIdentity,
  { registration, label }: ProviderRules,
): Promise<StoredUser> {
  const wish = { username: usernameFrom(identity.name), numbered: true, only_first: registration === 'off' }
  const created = await identities.create(identity, wish)
  if (created === 'not_first')
    throw new DomainError(
      'forbidden',
      `No account here is linked to this sign-in. Sign in with your password, then link ${label} in Settings, under Account.`,
    )
  if (created === 'taken') throw new DomainError('conflict', 'No username is free. Ask your administrator.')
  return created
}

/** Makes a username of a name at a provider or a proxy. Of a mail address it keeps the part before the @. */
export function usernameFrom(name: string): string {
  const [local = ''] = name.split('@')
  const plain = local
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9_.-]+/g, '-')
    .slice(0, 32)
    .replace(/^-+|-+$/g, '')
  return plain.length < 3 ? 'person' : plain
}

/** Throws `conflict` if the identity opens another account. */
export async function linkIdentity({ identities }: Library, identity: Identity): Promise<void> {
  if (!(await identities.link(identity)))
    throw new DomainError('conflict', 'This sign-in is linked to another account. Unlink it there first.')
}

/** Throws `conflict` if the identity is the last way to sign in, or `not_found`. */
export async function unlinkIdentity({ identities }: Library, key: IdentityKey): Promise<void> {
  const removal = await identities.unlink(key)
  if (removal === 'absent') throw new DomainError('not_found', 'This sign-in is not linked to your account.')
  if (removal === 'last')
    throw new DomainError('conflict', 'You need this to sign in. Set a password first, then unlink it.')
}
