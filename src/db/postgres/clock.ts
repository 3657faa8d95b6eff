/** Keeps the clock of this process equal to that of the database. */
import { setCurrentTime } from '../../runtime/clock.ts'
import { every } from '../../runtime/every.ts'
import type { Log } from '../../runtime/log.ts'
import { onlyValue, type Sql } from './client.ts'

const every_ms = 60_000

/** Resolves after the first comparison. Returns a function that ends it. */
export async function keepTime(sql: Sql, log: Pick<Log, 'warn'>): Promise<() => Promise<void>> {
  const compare = async () => {
    const asked_at = Date.now()
    const time = await onlyValue<Date>(sql`select clock_timestamp() as time`)
    const ahead_ms = setCurrentTime(time, asked_at)
    if (ahead_ms !== undefined) log.warn({ ahead_s: Math.round(ahead_ms / 1000) }, words)
  }
  await compare()
  // Another process notices that the database is away.
  const timer = every(every_ms, () => compare().catch(() => {})).unref()
  return async () => clearInterval(timer)
}

const words =
  'The clocks of this machine and of the database differ. The time of the database is used. Set both clocks by NTP.'
