/** Setting and checking passwords; nothing else sees one. Argon2id with oslo's defaults, which are OWASP's: 19 MiB, 2 passes, 1 lane. */
import { Argon2id } from 'oslo/password'
import { turnsFor } from '../runtime/turns.ts'

const argon2id = new Argon2id()

/** Checks at once; more would starve file reads, which share the same few threads. */
const at_once = 2
/** More than these in line would wait longer than anybody does. */
const most_waiting = 100
/** From one address, which may be an office. */
const most_waiting_of_one = 30

export interface Passwords {
  /** `whose`: the address it came from. */
  hash(password: string, whose: string): Promise<string>
  /** `hash` undefined: no such account. The same work is done, so that the time taken tells nobody which names exist. */
  verify(hash: string | undefined, password: string, whose: string): Promise<boolean>
}

export function passwords(): Passwords {
  const sentence = 'Too many people sign in just now. Try again in a moment.'
  const inTurn = turnsFor({ most: at_once, waiting: { most: most_waiting, of_one: most_waiting_of_one, sentence } })
  const nobodys = inTurn('', () => argon2id.hash(crypto.randomUUID()))
  return {
    hash: (password, whose) => inTurn(whose, () => argon2id.hash(password)),
    async verify(hash, password, whose) {
      const against = hash ?? (await nobodys)
      // A hash that can't be read is a password that doesn't fit.
      const fits = await inTurn(whose, () => argon2id.verify(against, password).catch(() => false))
      return hash !== undefined && fits
    },
  }
}
