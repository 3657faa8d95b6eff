/** Setting and checking passwords; nothing else sees one. Argon2id with oslo's defaults, which are OWASP's: 19 MiB, 2 passes, 1 lane. */
import { Argon2id } from 'oslo/password'
import { turnsFor } from '../turns.ts'

const argon2id = new Argon2id()

/** Checks at once; more would starve file reads, which share the same few threads. */
const at_once = 2
/** More than these in line would wait longer than anybody does. */
const most_waiting = 100

export interface Passwords {
  hash(password: string): Promise<string>
  /** `hash` undefined: no such account. The same work is done, so that the time taken tells nobody which names exist. */
  verify(hash: string | undefined, password: string): Promise<boolean>
}

export function passwords(): Passwords {
  const inTurn = turnsFor(at_once, {
    most_waiting,
    sentence: 'Too many people sign in just now. Try again in a moment.',
  })
  const nobodys = inTurn(() => argon2id.hash(crypto.randomUUID()))
  return {
    hash: password => inTurn(() => argon2id.hash(password)),
    async verify(hash, password) {
      const against = hash ?? (await nobodys)
      // A hash that can't be read is a password that doesn't fit.
      const fits = await inTurn(() => argon2id.verify(against, password).catch(() => false))
      return hash !== undefined && fits
    },
  }
}
