/** Reads rows of `users` as accounts. */
import { type StoredUser, UserId } from '../../schema/values/user.ts'
import { sharedPiece } from '../postgres/client.ts'

export const user_columns = sharedPiece(sql => sql`id as user_id, username, role, password_hash, locked_at`)

/** `undefined`: there is no such row. */
export const storedUserIn = ([row]: StoredUser[]): StoredUser | undefined =>
  row && { ...row, user_id: UserId.parse(row.user_id) }
