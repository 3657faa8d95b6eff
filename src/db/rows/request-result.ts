/** The answer to a request for a download. */
import type { Requested } from '../../schema/downloads/download-api.ts'

export type RequestResult = Requested['result']

/** `status`: before the request; `undefined`: there is no such video. `queued`: this request put it into the queue. */
export function requestResult(status: string | undefined, queued: boolean): RequestResult {
  if (queued) return 'queued'
  if (status === undefined) return 'not_found'
  return status === 'COMPLETED' ? 'already_completed' : 'already_queued'
}
