/** The clock of this process, next to that of the database. */
import { expect, it, onTestFinished, vi } from 'vitest'
import { keepTime } from '../../../src/db/postgres/clock.ts'
import { currentTime, setCurrentTime } from '../../../src/runtime/clock.ts'
import { useDatabase } from '../../support/app/database.ts'

const { sql } = useDatabase()

it.each([300, -300])(
  'a process whose clock is wrong by %i seconds uses the time of the database, and says so',
  async by => {
    const warn = vi.fn()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + by * 1000 })
    onTestFinished(() => {
      vi.useRealTimers()
      setCurrentTime(new Date())
    })

    const end = await keepTime(sql, { warn })

    const [row] = await sql<{ time: Date }[]>`select clock_timestamp() as time`
    expect(Math.abs(currentTime().getTime() - (row?.time.getTime() ?? 0))).toBeLessThan(60_000)
    expect(warn).toHaveBeenCalledWith({ ahead_s: by }, expect.stringContaining('The clocks of this machine'))
    await end()
  },
)

it('an answer that took long moves no clock', () => {
  const now = Date.now()
  expect(setCurrentTime(new Date(now - 5000), now - 5500)).toBeUndefined()
  expect(setCurrentTime(new Date(now - 5000), now - 3000)).toBeGreaterThan(3000)
  setCurrentTime(new Date())
})
