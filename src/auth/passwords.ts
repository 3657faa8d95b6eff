/**
 * Hashes and checks passwords, and recognises common ones. Argon2id with oslo's defaults, which are OWASP's: 19 MiB, 2 passes, 1 lane.
 * Argon2id is loaded, and takes that memory, when the first person signs in.
 */
import { loadedOnce } from '../runtime/cache.ts'
import { turnsFor } from '../runtime/turns.ts'

const argon2id = loadedOnce(async () => {
  const { Argon2id } = await import('oslo/password')
  return new Argon2id()
})

/** The hash of a random password that was thrown away. Checking it costs the same as any other hash, and no password is known to fit. */
const unused_hash = '$argon2id$v=19$m=19456,t=2,p=1$iUJf0PlFM79a8xJRloMTCg$/OY1N5QX2uGMjfifVMdC5Dxq0qlKDG0VLiMZIhtuvd0'

/** Hashes computed at once. More would slow down file reads, which share the same four threads. */
const max_at_once = 2
/** With more waiting, the last person would wait longer than people do. */
const max_waiting = 100
/** The most that wait from one address, which may be an office. */
const max_waiting_of_one = 30

export interface Passwords {
  /** `whose`: the client's address; addresses take turns. */
  hash(password: string, whose: string): Promise<string>
  /** `hash` undefined: there is no such account. The same work is done, so the time taken does not show which names exist. */
  verify(hash: string | undefined, password: string, whose: string): Promise<boolean>
}

export function passwords(): Passwords {
  const sentence = 'Too many people are signing in right now. Try again in a moment.'
  const inTurn = turnsFor({ most: max_at_once, waiting: { most: max_waiting, of_one: max_waiting_of_one, sentence } })
  return {
    hash: (password, whose) => inTurn(whose, async () => (await argon2id()).hash(password)),
    async verify(hash, password, whose) {
      const fits = await inTurn(whose, async () => {
        const checking = await argon2id()
        // A hash that can't be parsed matches no password.
        return checking.verify(hash ?? unused_hash, password).catch(() => false)
      })
      return hash !== undefined && fits
    },
  }
}

/**
 * The passwords that attackers try first: zxcvbn's list of common ones, most of them from leaks. Shorter ones are refused anyway; 17,950
 * remain. They take 3 MB, so they are loaded for the first new password.
 */
const commonPasswords = loadedOnce(async () => {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'].filter(password => password.length >= 8))
})

/** Whether attackers try this password first, in upper or lower case. */
export const isCommon = async (password: string): Promise<boolean> =>
  (await commonPasswords()).has(password.toLowerCase())
