/**
 * Downloads that wait while another one fetches the same video. Their rows say which video they want (`address_hash`), and their jobs have
 * a time at which they are tried in any case. When the run ends, the next ones are woken.
 */
import { type Queryable, sharedPiece } from '../postgres/client.ts'

/** Condition on a row `entry`: another download fetches its video. */
export const isFetchedByAnother = sharedPiece(
  sql => sql`
  exists (
    select from video_entries run
    where  run.address_hash = entry.address_hash and run.standing = 'running' and not run.download_copied
    and    (run.user_id, run.video_id) <> (entry.user_id, entry.video_id))`,
)

/** One claim or end of a run of this video at a time, so that a claim that decides to wait for a run is seen by the end of that run. */
export const lockVideo = (tx: Queryable, address_hash: string) =>
  tx`select pg_advisory_xact_lock(hashtextextended(${`backlot video ${address_hash}`}, 0))`
