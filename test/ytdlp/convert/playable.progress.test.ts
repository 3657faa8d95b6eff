import { describe, expect, it } from 'vitest'
import { conversionReader } from '../../../src/ytdlp/convert/playable.ts'

describe('conversionReader', () => {
  const tell = (duration_s: number | undefined, times: string[]) => {
    const read = conversionReader(duration_s)
    return times.map(time => read(`out_time_us=${time}`))
  }

  it('a conversion’s percent of the duration rises, to 100 at most', () => {
    expect(tell(10, ['0', '4000000', '3000000', '4050000', '9999999', '99000000'])).toEqual([
      undefined,
      40,
      undefined,
      undefined,
      99,
      100,
    ])
  })

  it.each([
    ['no duration', undefined, '5000000'],
    ['a duration of nothing', 0, '5000000'],
    ['no time yet', 10, 'N/A'],
    ['a time before the start', 10, '-23220'],
  ])('a line says nothing about the conversion: %s', (_, duration_s, time) => {
    expect(tell(duration_s, [time])).toEqual([undefined])
  })
})
