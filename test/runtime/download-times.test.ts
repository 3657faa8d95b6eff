import { expect, it } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { timesIn } from '../../src/runtime/download-times.ts'
import { opensAt } from '../../src/schema/downloads/hours.ts'

const DOWNLOAD_HOURS = '22:00-06:00'

it('hours are by the clock of the system unless TZ is set', () => {
  const system = Intl.DateTimeFormat().resolvedOptions().timeZone

  expect(timesIn(readConfig({ DOWNLOAD_HOURS })).time_zone).toBe(system)
  expect(timesIn(readConfig({ DOWNLOAD_HOURS, TZ: 'Asia/Tokyo' })).time_zone).toBe('Asia/Tokyo')
})

it('hours are in UTC where the system has no zone that this runtime knows', () => {
  const times = { ...timesIn(readConfig({ DOWNLOAD_HOURS })), time_zone: 'Etc/Unknown' }

  expect(opensAt(times, new Date('2026-11-27T12:00:00Z'))).toEqual(new Date('2026-11-27T22:00:00Z'))
})
