/** What becomes of asking for a download. */
export type Asked = 'queued' | 'already_queued' | 'already_completed' | 'not_found'

/** `status` as it stood before, absent when there is no such video; `queued`: it was put into the queue just now. */
export function asked(status: string | undefined, queued: boolean): Asked {
  if (queued) return 'queued'
  if (status === undefined) return 'not_found'
  return status === 'COMPLETED' ? 'already_completed' : 'already_queued'
}
