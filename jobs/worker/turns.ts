/** Whose turn it is: what a worker passes over, whether a download may start, and whether one that runs gives up its slot. */

import { hostTurn, type Manners, pausedFlags, restingFlags, type Turn } from '../../src/db/across/hosts.ts'
import { heldFlags, heldUntil } from '../../src/db/across/rule-turns.ts'
import { oneAtATime, readLine } from '../../src/db/across/slots.ts'
import type { Queryable, Sql } from '../../src/db/postgres/client.ts'
import { dead_after_s } from '../../src/domain/downloads/recovery.ts'
import { givesWay, shareFlags, shareTaken, type Way } from '../../src/domain/downloads/slots.ts'
import type { Line } from '../../src/schema/slots.ts'

/** For so many seconds after a person gave up a slot, the others' downloads start first; workers look every two. */
const turn_s = 20
/** When a slot will be free is not known, so the claim asks again after this time. */
const ask_again_ms = 5000

async function lineOf(sql: Queryable, { host_concurrency, isOurs }: Manners): Promise<Line> {
  const resting = async () => (await Promise.all([pausedFlags(sql), heldFlags(sql)])).flat()
  const line = await readLine(sql, { resting, alive_s: dead_after_s, turn_s })
  return { ...line, placesAt: host => (host === null || isOurs(host) ? Number.POSITIVE_INFINITY : host_concurrency) }
}

/** The flags of the jobs that would only be put back if they were taken now. */
export async function passedOver(sql: Sql, manners: Manners): Promise<string[]> {
  const [resting, held, line] = await Promise.all([restingFlags(sql, manners), heldFlags(sql), lineOf(sql, manners)])
  // Flags of many jobs first: a job is compared with one flag after the other.
  return [...new Set([...shareFlags(line), ...resting, ...held])]
}

/** Asked where a download is claimed, one claim after the other: two workers may have taken a job each at the same moment. */
export const downloadTurn =
  (manners: Manners): Turn =>
  async (tx, wanted) => {
    const { user_id, video_host, by } = wanted
    await oneAtATime(tx)
    if (shareTaken(await lineOf(tx, manners), wanted)) return new Date(Date.now() + ask_again_ms)
    const held = by === 'rule' ? await heldUntil(tx, user_id, video_host ?? '') : undefined
    return held ?? (video_host === null ? undefined : hostTurn(manners)(tx, video_host, user_id))
  }

/** Whether a run gives up its slot to others, and why. */
export const wayOf =
  (sql: Sql, manners: Manners) =>
  async (claim: string, is_crawling: boolean): Promise<Way | undefined> =>
    givesWay(await lineOf(sql, manners), claim, is_crawling)
