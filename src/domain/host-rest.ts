/** How long a site is left alone that asks to be asked less: all its feeds, not only the one it said so about. Pure. */
import { DomainError } from '../errors.ts'
import { SiteRefusal } from '../feed/answer.ts'

/** For one that answers 429 and no more. */
const unsaid_s = 15 * 60
/** A site may ask for years; nobody is forgotten for longer than this. */
const longest_s = 24 * 60 * 60

/** `undefined`: this fault says nothing about the site as a whole. */
export function restUntil(fault: unknown, now: Date): Date | undefined {
  const rest_s = askedFor(fault)
  return rest_s === undefined ? undefined : new Date(now.getTime() + Math.min(rest_s, longest_s) * 1000)
}

function askedFor(fault: unknown): number | undefined {
  if (!(fault instanceof DomainError)) return undefined
  return fault.retry_after_s ?? (fault instanceof SiteRefusal && fault.answered === 429 ? unsaid_s : undefined)
}
