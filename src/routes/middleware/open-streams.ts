/** How many files one person, and one address, may be reading at the same time. The counts are this process's own. */
import { DomainError } from '../../errors.ts'

export type StreamLimits = {
  of_person: number
  at_address: number
  /** Milliseconds after which a reader that takes nothing is disconnected. */
  idle_ms: number
}

/**
 * A browser opens one or two connections for each video, and those it drops are counted down as soon as they close. A
 * paused video is not read: browsers ask for the rest by Range when it goes on, so a pause of any length does no harm.
 */
export const usual_streams: StreamLimits = { of_person: 24, at_address: 120, idle_ms: 5 * 60_000 }

/** Counts one more. Returns how to count it down again, which is done once. Throws `too_many`. */
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
    if ((open.get(person) ?? 0) >= of_person) throw tooMany(`You are reading ${of_person} files at once`)
    if ((open.get(address) ?? 0) >= at_address) throw tooMany(`${at_address} files are being read from your address`)
    for (const key of keys) count(key, 1)
    return () => {
      for (const key of keys.splice(0)) count(key, -1)
    }
  }
}

const tooMany = (what: string) =>
  new DomainError('too_many', `${what}, which is the limit here. Close some videos, then try again.`, {
    retry_after_s: 5,
  })
