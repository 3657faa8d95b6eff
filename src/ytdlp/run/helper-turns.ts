/**
 * Limits how many yt-dlp processes run at once for questions. Each takes 60 MB and a second of processor time or more. Quick
 * questions do not wait for long listings, which can take half an hour.
 */
import { type InTurn, turnsFor } from '../../runtime/turns.ts'

/** Owner lookups and looks. One at a time per person, so that one person cannot block the others. */
export const inQuickTurn: InTurn = turnsFor({ most: 2, of_one: 1 })

type ListingTurn = <T>(whose: string, host: string, work: () => Promise<T>, signal: AbortSignal) => Promise<T>

/** One listing at a time per person and per host, and two in all. */
export const listingTurns = (): ListingTurn => {
  const ofPerson = turnsFor({ most: Number.POSITIVE_INFINITY, of_one: 1 })
  const ofHost = turnsFor({ most: 2, of_one: 1 })
  return (whose, host, work, signal) => ofPerson(whose, () => ofHost(host, work, signal), signal)
}

export const inLongListingTurn: ListingTurn = listingTurns()
/** For the newest entries of a list, which takes seconds. */
export const inShortListingTurn: ListingTurn = listingTurns()
