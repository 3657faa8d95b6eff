/** Makes API tokens and password reset links. Only their hashes are stored, so that a leaked table opens nothing. */
import { createHash, randomBytes } from 'node:crypto'

/** 256 random bits. Secret scanners recognise the prefix in published code. */
export const newToken = (): string => `backlot_${randomBytes(32).toString('hex')}`

/** `undefined`: not a token of this service. */
export const tokenHash = (token: string): string | undefined =>
  /^backlot_[0-9a-f]{64}$/.test(token) ? createHash('sha256').update(token).digest('hex') : undefined

/** For a link that lets a user choose a new password. */
export const newResetToken = (): string => randomBytes(32).toString('hex')

/** `undefined`: not a reset token. */
export const resetHash = (token: string): string | undefined =>
  /^[0-9a-f]{64}$/.test(token) ? createHash('sha256').update(token).digest('hex') : undefined
