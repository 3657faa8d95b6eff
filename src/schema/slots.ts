/** What is known when slots are shared out. */
import type { UserId } from './user.ts'

/** A download that holds a slot. */
export type Run = {
  user_id: UserId
  claim: string
  video_host: string | null
  /** Seconds since it started. */
  ran_s: number
  /** It has fetched everything, and joins or converts it. */
  is_processing: boolean
  /** How many times it gave up its slot and then began from the start again. */
  restarts: number
}

export type SlotQueue = {
  /** Of all workers that live; 0: not known. */
  slots: number
  runs: Run[]
  /**
   * Whose downloads could run now, each person once for each host that a run is on, and once for all other hosts (`null`).
   * `is_again`: a rule tries it again much later, behind everything else.
   */
  waiting: { user_id: UserId; video_host: string | null; is_again: boolean }[]
  /** Who gave up a slot to others a moment ago. */
  yielded: UserId[]
  /** How many may run at once from this host; infinite: any number. */
  placesAt(host: string | null): number
}
