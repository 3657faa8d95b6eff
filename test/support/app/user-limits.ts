/** In this process: limits that a test reaches. */
import { user_limits } from '../../../src/schema/values/user.ts'

const usual = { ...user_limits }

/** Lowers what one person may have. Returns the function that restores the limits, for `beforeEach` or `onTestFinished`. */
export function lowered(limits: Partial<typeof user_limits>): () => void {
  Object.assign(user_limits, limits)
  return () => void Object.assign(user_limits, usual)
}
