/** Which host a fault says to ask less, and for how long it asks to be left alone. Pure. */
import { asksToWait, SiteRefusal } from '../../feed/fetch/answer.ts'

/** `host`: the one that answered, never the one that redirected. `asked_s`: `Retry-After`, at most a day. */
export type Refusal = { host: string; asked_s: number | undefined }

/** `undefined`: this fault says nothing about a host. */
export const refusalIn = (fault: unknown): Refusal | undefined =>
  fault instanceof SiteRefusal && asksToWait(fault) ? { host: fault.host, asked_s: fault.retry_after_s } : undefined
