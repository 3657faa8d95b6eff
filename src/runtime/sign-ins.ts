/**
 * Remembers for a few seconds who a session or an API token belongs to, so that a burst of requests looks it up once. One
 * look-up costs more than the rest of a small request. Finding the sign-ins and ending them is left to the callers.
 *
 * After something ended, the caller forgets it here, so this process refuses it at once. A change by another process takes
 * effect within `remembered_ms`.
 */
import { currentTime } from './clock.ts'

/** `expires_at`: when it ends; `null`: never. */
type SignIn = { user: { user_id: string }; expires_at: Date | null }

export interface SignIns {
  /**
   * What `lookUp` finds, or found a moment ago for the same `key`. Requests at the same time share one look-up. `undefined` is
   * not remembered. The first word of the key says what signs in, so each key has one type; a token is in the key as its hash.
   */
  find<T extends SignIn>(key: string, lookUp: () => Promise<T | undefined>): Promise<T | undefined>
  /** Call it after the row is deleted. Look-ups that are still running may have read the row, so they are done again. */
  forget(key: string): void
  forgetUser(user_id: string): void
}

/** Milliseconds from the start of the look-up. */
export const remembered_ms = 3000

/** Sign-ins of that many browsers and programs take a few megabytes. */
const max_sign_ins = 5000

/** `ended`: the keys and users that were forgotten since it began. */
type LookUp = { found: Promise<SignIn | undefined>; until: number; ended: Set<string> }

/** `now`: milliseconds of a clock that is never set back. */
export function rememberSignIns(now = () => performance.now(), most = max_sign_ins): SignIns {
  // The sign-ins are in the order of their look-ups, so the first is the oldest.
  const known = new Map<string, { sign_in: SignIn; until: number }>()
  const running = new Set<LookUp>()
  const latest = new Map<string, LookUp>()

  const keep = (key: string, sign_in: SignIn, until: number) => {
    known.delete(key)
    known.set(key, { sign_in, until })
    for (const [oldest, { until }] of known) {
      if (known.size <= most && until > now()) break
      known.delete(oldest)
    }
  }

  const start = (key: string, find: () => Promise<SignIn | undefined>): LookUp => {
    const lookUp = { until: now() + remembered_ms, ended: new Set<string>(), found: find() }
    running.add(lookUp)
    latest.set(key, lookUp)
    const end = (sign_in?: SignIn) => {
      running.delete(lookUp)
      if (latest.get(key) === lookUp) latest.delete(key)
      if (sign_in && !hasEnded(lookUp, key, sign_in)) keep(key, sign_in, lookUp.until)
    }
    lookUp.found.then(end, () => end())
    return lookUp
  }

  const runningOf = (key: string) => {
    const lookUp = latest.get(key)
    return lookUp && !lookUp.ended.has(key) && lookUp.until > now() ? lookUp : undefined
  }

  const rememberEnd = (of: string) => {
    for (const { ended } of running) ended.add(of)
  }

  return {
    async find<T extends SignIn>(key: string, lookUp: () => Promise<T | undefined>): Promise<T | undefined> {
      const recent = known.get(key)
      if (recent && recent.until > now() && lasts(recent.sign_in)) return recent.sign_in as T
      const begun = runningOf(key) ?? start(key, lookUp)
      const found = (await begun.found) as T | undefined
      // The sign-in ended meanwhile, and the row may have been read before.
      return found && hasEnded(begun, key, found) ? this.find(key, lookUp) : found
    },

    forget(key) {
      rememberEnd(key)
      known.delete(key)
    },

    forgetUser(user_id) {
      rememberEnd(user_id)
      for (const [key, { sign_in }] of known) if (sign_in.user.user_id === user_id) known.delete(key)
    },
  }
}

const hasEnded = ({ ended }: LookUp, key: string, { user }: SignIn) => ended.has(key) || ended.has(user.user_id)

const lasts = ({ expires_at }: SignIn) => expires_at === null || expires_at.getTime() > currentTime().getTime()
