/** The only writer of `download_status`: each move is one guarded update over every row of one user's video. */
import { type Move, moves } from '../../schema/downloads/download.ts'
import type { UserId } from '../../schema/values/user.ts'
import { eachValue, type Piece, type Queryable } from '../postgres/client.ts'
import type { Requester } from '../queue/queue.ts'
import type { SlotYield } from './run-types.ts'

type MovedRow = {
  video_id: string
  video_host: string | null
  download_attempts: number
  download_asked_by: Requester | null
  download_by_rule: boolean
  download_reason: string | null
  download_failures: number
  download_kept_bytes: number | null
}

export function movesOf(sql: Queryable, user_id: UserId) {
  const mine = sql`user_id = ${user_id}`

  /**
   * Every query that locks several rows does so in the same order, so that two moves never wait for each other in a circle.
   * As an array, because the subquery then runs once; otherwise a thousand rows would be locked a thousand times.
   */
  const inOrder = (video_ids: string[]) => sql`
    id = any(array(
      select id
      from   video_entries
      where  ${mine} and video_id = any(${video_ids})
      order by video_id, id
      for update))`

  /** Returns the rows after the move; none: the move is not legal now. */
  const move = (tx: Queryable, name: Move, video_ids: string[], changes: Piece, guard = sql`true`) => tx<MovedRow[]>`
    update video_entries
    set    download_status = ${moves[name].to.toUpperCase()}, ${changes}
    where  ${mine} and ${inOrder(video_ids)}
    and    download_status in ${sql(moves[name].from.map(status => status.toUpperCase()))}
    and    ${guard}
    returning video_id, video_host, download_attempts, download_asked_by, download_by_rule, download_reason,
              download_failures, download_kept_bytes`

  /**
   * Records who requested the videos. A person's request replaces a rule's; a rule's counts only if there was none before.
   * Returns the videos that this request may move.
   */
  const recordRequester = async (tx: Queryable, video_ids: string[], by: Requester): Promise<string[]> => {
    const recorded = await eachValue<string>(tx`
      update video_entries
      set    download_asked_by = ${by} ${by === 'rule' ? sql`, download_by_rule = true` : sql``}
      where  ${mine} and ${inOrder(video_ids)}
      and    ${by === 'rule' ? sql`download_asked_by is null` : sql`download_asked_by is distinct from 'person'`}
      returning video_id`)
    return by === 'rule' ? recorded : video_ids
  }

  /** Parts of `set` clauses. This one: no run has the download any more. */
  const noRun = sql`download_claim = null, download_heartbeat_at = null, download_progress = null`
  /** Nothing is fetched or stored, so there is nothing to share. */
  const noFile = sql`download_quality = null, words_hash = null, site_facts = null, download_copied = false`
  /** The download is no longer requested. */
  const noRequest = sql`
    download_requested_at = null, download_turn_at = null, download_next_attempt_at = null, download_paused_at = null`
  /** Earlier failures are forgotten. */
  const noFailures = sql`
    download_reason = null, download_failures = 0, download_restarts = 0, download_kept_bytes = null`
  /** Counts that the run yielded its slot. */
  const countYield = ({ kept_bytes, is_restarted }: SlotYield) => sql`
    download_kept_bytes = ${kept_bytes}, download_restarts = download_restarts + ${is_restarted ? 1 : 0}`
  /** The run still has the download; with `silent_s`, only if its last heartbeat is older. */
  const claimedBy = (claim: string, silent_s?: number) => sql`
    download_claim = ${claim}
    ${silent_s === undefined ? sql`` : sql`and download_heartbeat_at < now() - ${silent_s} * interval '1 second'`}`

  return { move, recordRequester, inOrder, claimedBy, noRun, noFile, noRequest, noFailures, countYield }
}
