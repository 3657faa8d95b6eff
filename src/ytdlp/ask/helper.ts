/** Runs yt-dlp for a question that downloads nothing, in an empty folder. */
import { inNewFolder } from '../../runtime/folders.ts'
import { type InTurn, turnsFor, unlessAborted } from '../../runtime/turns.ts'
import { hasControls } from '../../schema/values/address.ts'
import { type Failure, failures, withoutTools } from '../failures/failure.ts'
import type { ToolFinder, Tools } from '../process/programs.ts'
import type { ToolEnd } from '../process/run-tool.ts'
import { runYtdlp, type YtdlpRun } from '../process/ytdlp.ts'

/** `failure`: as `runYtdlp` gives it. Rejects when `signal` is aborted or `onLine` fails. */
export const runHelper = (run: YtdlpRun): Promise<ToolEnd | { failure: Failure }> =>
  inNewFolder('ask', folder => runYtdlp(folder, run))

/** The tools for a question about an address, or why the question cannot be asked. Rejects when `signal` is aborted. */
export async function toolsFor(
  url: string,
  findTools: ToolFinder,
  signal: AbortSignal,
): Promise<Tools | { failure: Failure }> {
  if (!/^https?:\/\//i.test(url)) return { failure: failures.not_a_web_address }
  if (hasControls(url)) return { failure: failures.unfit_address }
  return readyTools(findTools, signal)
}

/** The tools, or a failure that says what is missing. Rejects when `signal` is aborted. */
export async function readyTools(findTools: ToolFinder, signal: AbortSignal): Promise<Tools | { failure: Failure }> {
  const tools = await unlessAborted(findTools(), signal)
  signal.throwIfAborted()
  return 'missing' in tools ? { failure: withoutTools(tools.missing) } : tools
}

/**
 * A turn for an owner lookup or a look. A person gets one at a time, so that one person cannot block the others. Turns limit how many
 * processes of yt-dlp run at once: each takes 60 MB and a second of processor time or more. Quick questions do not wait for long listings,
 * which can take half an hour.
 */
export const inQuickTurn: InTurn = turnsFor({ most: 2, of_one: 1 })

type ListingTurn = <T>(whose: string, host: string, work: () => Promise<T>, signal: AbortSignal) => Promise<T>

/** One listing at a time per person and per host, and two in all. */
const listingTurns = (): ListingTurn => {
  const ofPerson = turnsFor({ most: Number.POSITIVE_INFINITY, of_one: 1 })
  const ofHost = turnsFor({ most: 2, of_one: 1 })
  return (whose, host, work, signal) => ofPerson(whose, () => ofHost(host, work, signal), signal)
}

export const inLongListingTurn: ListingTurn = listingTurns()
/** A turn for the newest entries of a list, which takes seconds. */
export const inShortListingTurn: ListingTurn = listingTurns()
