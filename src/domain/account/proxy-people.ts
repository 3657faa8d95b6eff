/**
 * The people whom a trusted proxy signs in, by the name in its header. A name opens the account that it is linked to, never an account that
 * only has the same name. A name without an account gets one, if new accounts are open and its username is free; the username is never
 * numbered, as a provider's is, because the header of a proxy is often the username of an old account.
 */
import { headerIdentity } from '../../auth/trusted-header.ts'
import type { Identities } from '../../db/account/identities.ts'
import type { Library } from '../../db/library.ts'
import type { SignIns } from '../../runtime/sign-ins.ts'
import type { Identity } from '../../schema/account/identity.ts'
import { type StoredUser, type User, Username } from '../../schema/values/user.ts'
import { requirePassword } from './account.ts'
import { linkIdentity, usernameFrom } from './identities.ts'
import { type Authenticator, accountLocked } from './sign-in.ts'

type Deps = { identities: Identities; sign_ins: SignIns; header: string; registration: 'open' | 'closed' }

/** A name that opens no account. `sentence`: why the name got no account, and what to do; absent: a session made an account needless. */
export type Unlinked = { identity: Identity; sentence?: string }

export type ProxyPeople = ReturnType<typeof proxyPeopleIn>

export function proxyPeopleIn({ identities, sign_ins, header, registration }: Deps) {
  const identityOf = (name: string) => headerIdentity(header, name)
  return {
    identityOf,

    /** The person of this name. Throws `forbidden` if the account is locked. `undefined`: the name is linked to no account. */
    async find(name: string): Promise<User | undefined> {
      const found = await sign_ins.find(`header ${name}`, async () => {
        const account = await identities.find(identityOf(name))
        return account && { ...personOf(account), expires_at: null }
      })
      if (found?.is_locked) throw accountLocked()
      return found?.user
    },

    /** Creates an account for this name, without a password. The first account can always be created. Throws as `find`. */
    async create(name: string): Promise<User | Unlinked> {
      const identity = identityOf(name)
      const username = Username.safeParse(name).data ?? usernameFrom(name)
      const created = await identities.create(identity, { username, only_first: registration === 'closed' })
      if (typeof created === 'object') return unlocked(created)
      // Another request with this name may have created the account a moment ago.
      const account = await identities.find(identity)
      return account ? unlocked(account) : { identity, sentence: sentenceOf(name, reasons(username)[created]) }
    },
  }
}

const reasons = (username: string) => ({
  taken: `There is an account ${username}, which is not linked to this name`,
  not_first: 'It has no account here, and new accounts are closed',
})

const sentenceOf = (name: string, reason: string): string =>
  `The proxy of this service signed you in as ${name}. ${reason}. If you have an account, sign in with its password, then link this name in Settings, Account.`

const personOf = ({ user_id, username, role, locked_at }: StoredUser) => ({
  user: { user_id, username, role },
  is_locked: locked_at !== null,
})

function unlocked(account: StoredUser): User {
  const { user, is_locked } = personOf(account)
  if (is_locked) throw accountLocked()
  return user
}

/**
 * Links the name that the proxy gave with this request to the account of a signed-in person. Throws `invalid` at `current_password`, or
 * `conflict` if the name was linked to another account a moment ago.
 */
export async function linkProxyName(
  authenticator: Authenticator,
  library: Library,
  user: User,
  { identity }: Unlinked,
  current_password: string,
  client: string,
): Promise<void> {
  await requirePassword(authenticator, user, 'current_password', current_password, client)
  await linkIdentity(library, identity)
}
