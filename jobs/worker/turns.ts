/** Whose turn it is: what a worker passes over, whether a download may start, and whether one that runs gives up its slot. */

import { blockedFlags, type HostLimits, hostFreeAt, pausedFlags } from '../../src/db/across/hosts.ts'
import { heldFlags, heldUntil } from '../../src/db/across/rule-turns.ts'
import { oneAtATime, readSlotQueue } from '../../src/db/across/slots.ts'
import type { EarliestStart } from '../../src/db/library/run-types.ts'
import type { Queryable, Sql } from '../../src/db/postgres/client.ts'
import { dead_after_s } from '../../src/domain/downloads/recovery.ts'
import { shareFlags, shareTaken, type YieldReason, yieldReason } from '../../src/domain/downloads/slots.ts'
import type { SlotQueue } from '../../src/schema/slots.ts'

/** For so many seconds after a person gave up a slot, the others' downloads start first; workers look every two. */
const turn_s = 20
/** When a slot will be free is not known, so the claim asks again after this time. */
const ask_again_ms = 5000

async function queueOf(sql: Queryable, { host_concurrency, isOurs }: HostLimits): Promise<SlotQueue> {
  const paused = async () => (await Promise.all([pausedFlags(sql), heldFlags(sql)])).flat()
  const queue = await readSlotQueue(sql, { paused, alive_s: dead_after_s, turn_s })
  return { ...queue, placesAt: host => (host === null || isOurs(host) ? Number.POSITIVE_INFINITY : host_concurrency) }
}

/** The flags of the jobs that would only be put back if they were taken now. */
export async function passedOver(sql: Sql, host_limits: HostLimits): Promise<string[]> {
  const [paused, held, queue] = await Promise.all([
    blockedFlags(sql, host_limits),
    heldFlags(sql),
    queueOf(sql, host_limits),
  ])
  // Flags of many jobs first: a job is compared with one flag after the other.
  return [...new Set([...shareFlags(queue), ...paused, ...held])]
}

/** Asked where a download is claimed, one claim after the other: two workers may have taken a job each at the same moment. */
export const downloadTurn =
  (host_limits: HostLimits): EarliestStart =>
  async (tx, wanted) => {
    const { user_id, video_host, by } = wanted
    await oneAtATime(tx)
    if (shareTaken(await queueOf(tx, host_limits), wanted)) return new Date(Date.now() + ask_again_ms)
    const held = by === 'rule' ? await heldUntil(tx, user_id, video_host ?? '') : undefined
    return held ?? (video_host === null ? undefined : hostFreeAt(host_limits)(tx, video_host, user_id))
  }

/** Whether a run gives up its slot to others, and why. */
export const yieldReasonOf =
  (sql: Sql, host_limits: HostLimits) =>
  async (claim: string, is_slow: boolean): Promise<YieldReason | undefined> =>
    yieldReason(await queueOf(sql, host_limits), claim, is_slow)
