/** Hashes and checks passwords. Argon2id with oslo's defaults, which are OWASP's: 19 MiB, 2 passes, 1 lane. */
import { Argon2id } from 'oslo/password'
import { turnsFor } from '../runtime/turns.ts'

const argon2id = new Argon2id()

/** Hashes computed at once. More would slow down file reads, which share the same four threads. */
const at_once = 2
/** With more waiting, the last one would wait longer than people do. */
const most_waiting = 100
/** For one address, which may be an office. */
const most_waiting_of_one = 30

export interface Passwords {
  /** `whose`: the client's address; addresses take turns. */
  hash(password: string, whose: string): Promise<string>
  /** `hash` undefined: there is no such account. The same work is done, so the time taken does not show which names exist. */
  verify(hash: string | undefined, password: string, whose: string): Promise<boolean>
}

export function passwords(): Passwords {
  const sentence = 'Too many people are signing in right now. Try again in a moment.'
  const inTurn = turnsFor({ most: at_once, waiting: { most: most_waiting, of_one: most_waiting_of_one, sentence } })
  const unused_hash = inTurn('', () => argon2id.hash(crypto.randomUUID()))
  return {
    hash: (password, whose) => inTurn(whose, () => argon2id.hash(password)),
    async verify(hash, password, whose) {
      const against = hash ?? (await unused_hash)
      // A hash that can't be parsed matches no password.
      const fits = await inTurn(whose, () => argon2id.verify(against, password).catch(() => false))
      return hash !== undefined && fits
    },
  }
}
