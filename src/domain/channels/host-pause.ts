/** Whether a failed request means that its host wants fewer requests, and for how long. Pure. */
import { asksToWait, SiteRefusal } from '../../feed/fetch/answer.ts'

/** `host`: the one that answered, behind all redirects. `asked_s`: its `Retry-After`, at most a day. */
export type Refusal = { host: string; asked_s: number | undefined }

/** `undefined`: the fault says nothing about a host. */
export function refusalIn(fault: unknown): Refusal | undefined {
  if (fault instanceof SiteRefusal && asksToWait(fault)) return { host: fault.host, asked_s: fault.retry_after_s }
  return fault instanceof Error && fault.cause !== undefined ? refusalIn(fault.cause) : undefined
}
