/** Limits how many files one user, or one address, reads at the same time. Each process counts its own. */
import { DomainError } from '../../errors.ts'

export type StreamLimits = {
  of_person: number
  at_address: number
  /** A client that reads nothing for this long is disconnected. */
  idle_ms: number
}

/**
 * A browser opens one or two connections per video, and closes those it no longer needs. It may stop reading while a video is
 * paused; if it is disconnected then, it requests the rest by Range when playing continues.
 */
export const usual_streams: StreamLimits = { of_person: 24, at_address: 120, idle_ms: 5 * 60_000 }

/** Counts one more open file. Returns the function that counts it down; calling it twice is harmless. Throws `too_many`. */
export type BeginStream = (user_id: string, client: string) => () => void

export function openStreams({ of_person, at_address }: StreamLimits): BeginStream {
  const open = new Map<string, number>()
  const count = (key: string, by: 1 | -1) => {
    const now = (open.get(key) ?? 0) + by
    if (now > 0) open.set(key, now)
    else open.delete(key)
  }
  return (user_id, client) => {
    const keys = [`person ${user_id}`, `address ${client}`]
    const [person = '', address = ''] = keys
    if ((open.get(person) ?? 0) >= of_person) throw tooMany(`You have ${of_person} videos open`)
    if ((open.get(address) ?? 0) >= at_address) throw tooMany(`${at_address} videos are open at your address`)
    for (const key of keys) count(key, 1)
    return () => {
      for (const key of keys.splice(0)) count(key, -1)
    }
  }
}

const tooMany = (what: string) =>
  new DomainError('too_many', `${what}, which is the limit. Close some, then try again.`, {
    retry_after_s: 5,
  })
