/** The answer to a request for a download. */
export type RequestResult = 'queued' | 'already_queued' | 'already_completed' | 'not_found'

/** `status`: before the request; `undefined`: there is no such video. `queued`: this request put it into the queue. */
export function requestResult(status: string | undefined, queued: boolean): RequestResult {
  if (queued) return 'queued'
  if (status === undefined) return 'not_found'
  return status === 'COMPLETED' ? 'already_completed' : 'already_queued'
}
