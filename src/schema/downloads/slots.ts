/** The figures that decide which download gets the next free slot. */
import type { UserId } from '../values/user.ts'

/** A download that uses a slot. */
export type SlotRun = {
  user_id: UserId
  claim: string
  video_host: string | null
  /** Seconds since it started. */
  ran_s: number
  /** Everything is received; the files are being joined or converted. */
  is_processing: boolean
  /** How often the site sent it from its start again after it had yielded its slot. */
  restarts: number
}

export type SlotQueue = {
  /** The slots of all live workers; 0: unknown. */
  slots: number
  runs: SlotRun[]
  /**
   * The people whose downloads could run now: once for each host that a run uses, and once for all other hosts (`null`).
   * `is_late`: a rule's late attempt, which runs after everything else.
   */
  waiting: { user_id: UserId; video_host: string | null; is_late: boolean }[]
  /** People whose download yielded its slot a moment ago. */
  yielded: UserId[]
  /** How many downloads from this host may run at once; may be infinite. */
  placesAt(host: string | null): number
}
