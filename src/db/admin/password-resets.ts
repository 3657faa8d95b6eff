/** Makes links with which people choose a new password. `account/password-resets.ts` uses them. */
import { passwordResetsIn } from '../account/password-resets.ts'
import { actOn, type Means } from './acts.ts'

export const resetsOf = (means: Means) => ({
  /**
   * Replaces an earlier link of the same person. `revoke_tokens`: also revokes their API tokens, whose number is returned. `locked`: a
   * locked person cannot sign in with a new password either. `undefined`: there is no such account.
   */
  make: (username: string, hash: string, lasts_s: number, revoke_tokens: boolean) =>
    actOn(means, username, async (tx, target, write) => {
      if (target.locked_at) return 'locked'
      const made = await passwordResetsIn(tx).make(target.username, hash, lasts_s)
      if (!made) throw new Error('the locked row of a person is gone')
      await write({ act: 'reset_link_made', username: target.username })
      if (!revoke_tokens) return { ...made, revoked_tokens: 0 }
      const { count } = await tx`delete from api_tokens where user_id = ${target.user_id}`
      await write({ act: 'tokens_revoked', username: target.username, detail: String(count) })
      return { ...made, revoked_tokens: count }
    }),
})
