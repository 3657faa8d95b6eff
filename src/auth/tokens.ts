/** Tokens that programs bring: how one is made and known again. The table keeps a hash, so that reading it lets nobody in. */
import { createHash, randomBytes } from 'node:crypto'

/** 256 random bits behind our name, by which scanners of published code know it. */
export const newToken = (): string => `backlot_${randomBytes(32).toString('hex')}`

/** `undefined`: this is none of ours. */
export const tokenHash = (token: string): string | undefined =>
  /^backlot_[0-9a-f]{64}$/.test(token) ? createHash('sha256').update(token).digest('hex') : undefined

/** For a link that lets one person choose a new password. */
export const newResetToken = (): string => randomBytes(32).toString('hex')

/** `undefined`: this is none of ours. */
export const resetHash = (token: string): string | undefined =>
  /^[0-9a-f]{64}$/.test(token) ? createHash('sha256').update(token).digest('hex') : undefined
