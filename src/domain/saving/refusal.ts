/** Recognises the failures in which a host asks us to slow down, and for how long. Pure. */
import { asksToWait, SiteRefusal } from '../../feed/fetch/answer.ts'

/** `host`: the one that answered, behind all redirects. `retry_after_s`: its `Retry-After`, at most a day. */
export type Refusal = { host: string; retry_after_s: number | undefined }

/** Also searches the causes of the fault. `undefined`: it is not a request to slow down. */
export function refusalIn(fault: unknown): Refusal | undefined {
  if (fault instanceof SiteRefusal && asksToWait(fault)) return { host: fault.host, retry_after_s: fault.retry_after_s }
  return fault instanceof Error && fault.cause !== undefined ? refusalIn(fault.cause) : undefined
}
