/** What a worker does when the time jumps. */
import { readFileSync } from 'node:fs'
import { parseCrontab } from 'graphile-worker'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { careForClock } from '../../../src/domain/service/clock-care.ts'
import { useDatabase } from '../../support/app/database.ts'
import { idleParts } from '../../support/app/parts.ts'

const { sql } = useDatabase()
const parts = idleParts(sql)

const in_seconds = (seconds: number) => new Date(Date.now() + seconds * 1000)

beforeEach(async () => {
  await sql`delete from graphile_worker._private_known_crontabs`
})

it('a clock that is right changes nothing', async () => {
  const care = await careForClock(parts)
  for (const seconds of [0, 1, 30, 0]) expect(await care.look(in_seconds(seconds))).toBe(false)
  expect([care.trouble(), care.isDoubtful()]).toEqual([null, false])
})

it('after a jump ahead the crontab begins again, and for a day nothing is deleted because of its age', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'Date'], now: Date.now() })
  onTestFinished(() => void vi.useRealTimers())
  const care = await careForClock(parts)
  await care.look(in_seconds(0))
  expect(await care.look(in_seconds(366 * 86_400))).toBe(true)
  expect(care.isDoubtful()).toBe(true)
  vi.advanceTimersByTime(24 * 3_600_000 + 1)
  expect(care.isDoubtful()).toBe(false)
})

it('after a jump back, what was planned is moved back by as much, and the administrator is told for an hour', async () => {
  const care = await careForClock(parts)
  await care.look(in_seconds(2 * 86_400))
  await sql`
    insert into host_pauses (host, reason, until, since)
    values ('a.example', 'rate_limited', now() + interval '49 hours', now() + interval '48 hours')`
  expect(await care.look(in_seconds(0))).toBe(true)
  const [pause] = await sql`
    select until between now() + interval '59 minutes' and now() + interval '61 minutes' as is_its_own, since <= now() as is_past
    from   host_pauses`
  expect(pause).toEqual({ is_its_own: true, is_past: true })
  expect(care.trouble()).toMatch(/^The clock was ahead by 2 days\./)
})

it('a start after more than an hour without a worker doubts the clock', async () => {
  await sql`
    insert into graphile_worker._private_known_crontabs (identifier, known_since, last_execution)
    values ('housekeeping', now(), now() - interval '7 days')`
  const care = await careForClock(parts)
  expect([care.isDoubtful(), care.trouble()]).toEqual([true, null])
})

it('after a jump of the machine alone the crontab begins again, and waits for no minute that it has planned', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  onTestFinished(() => void vi.useRealTimers())
  const time = new Date()
  const care = await careForClock(parts)
  await care.look(time)
  await sql`
    insert into graphile_worker._private_known_crontabs (identifier, known_since, last_execution)
    values ('housekeeping', now(), ${time})`
  vi.setSystemTime(time.getTime() - 10 * 60_000)
  expect(await care.look(new Date(time.getTime()))).toBe(true)
  const [crontab] = await sql`
    select last_execution < now() - interval '9 minutes' as begins_again from graphile_worker._private_known_crontabs`
  expect(crontab).toEqual({ begins_again: true })
  expect(care.trouble()).toBeNull()
})

it('the queue makes up one run of what it slept through', () => {
  const [housekeeping] = parseCrontab(readFileSync('jobs/worker/crontab', 'utf8'))
  expect(housekeeping?.options).toMatchObject({ jobKey: 'housekeeping', jobKeyMode: 'preserve_run_at', maxAttempts: 1 })
})

it('an answer that takes long is no jump', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'Date'], now: Date.now() })
  onTestFinished(() => void vi.useRealTimers())
  const care = await careForClock(parts)
  const sent_ms = performance.now()
  const time = new Date()
  await care.look(time)
  vi.advanceTimersByTime(300_000)
  // The statement waited for a lock, or this process was frozen.
  expect(await care.look(new Date(time.getTime() + 1000), sent_ms)).toBe(false)
})
