/** What an administrator decides about people: their role, a lock, a quota, a new password, and the end of their account. */
import type { Desk } from '../../db/admin/desk.ts'
import type { Refusal } from '../../db/admin/people.ts'
import { DomainError } from '../../errors.ts'
import type { Person, PersonChange } from '../../schema/admin/admin.ts'
import type { Files } from '../../store/files.ts'
import { removeWithFiles } from '../account/account.ts'
import { reset_lasts_s } from '../account/password-reset.ts'

/** Throws `not_found`. */
export const getPerson = async ({ people }: Desk, username: string): Promise<Person> =>
  orRefused((await people.find(username)) ?? 'not_found')

/** A lock ends everything that was opened before. Throws `not_found` or `conflict`. */
export const changePerson = async ({ people }: Desk, username: string, change: PersonChange): Promise<Person> =>
  orRefused(await people.change(username, change))

/** Deletes the account with all its data and files, and stops its downloads. Throws `not_found` or `conflict`. */
export const deletePerson = ({ people }: Desk, files: Files, username: string): Promise<void> =>
  removeWithFiles(files, async () => orRefused(await people.remove(username)))

/** Only the token's hash is stored; an earlier link of the same person stops working. Throws `not_found` or `conflict`. */
export async function makeReset(
  { resets }: Desk,
  username: string,
  { revoke_tokens = false }: { revoke_tokens?: boolean } = {},
): Promise<{ username: string; token: string; expires_at: Date; revoked_tokens: number }> {
  const made = await resets.make(username, reset_lasts_s, revoke_tokens)
  if (made === undefined) throw noSuchPerson()
  if (made === 'locked') throw new DomainError('conflict', 'This person is locked. Unlock them first.')
  return made
}

export const noSuchPerson = () => new DomainError('not_found', 'There is no such person.')

function orRefused<T>(result: T | Refusal): T {
  if (result === 'not_found') throw noSuchPerson()
  if (result !== 'last_administrator') return result as T
  throw new DomainError('conflict', 'No other administrator could sign in. Make another person an administrator first.')
}
