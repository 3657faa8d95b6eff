/** Makes the secrets of API tokens and password reset links. Only their hashes are stored, so a leaked table opens nothing. */
import { createHash, randomBytes } from 'node:crypto'

/** The secret of a new API token: 256 random bits. Secret scanners recognise the prefix in published code. */
export const newSecret = (): string => `backlot_${randomBytes(32).toString('hex')}`

/** The hash of an API token's secret. `undefined`: this service did not make the secret. */
export const tokenHash = (secret: string): string | undefined =>
  /^backlot_[0-9a-f]{64}$/.test(secret) ? createHash('sha256').update(secret).digest('hex') : undefined

/** For a link that lets a user choose a new password. */
export const newResetToken = (): string => randomBytes(32).toString('hex')

/** `undefined`: not a reset token. */
export const resetHash = (token: string): string | undefined =>
  /^[0-9a-f]{64}$/.test(token) ? createHash('sha256').update(token).digest('hex') : undefined
