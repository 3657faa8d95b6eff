/** Times in a description. */
import { describe, expect, it } from 'vitest'
import { timePieces } from '../../../src/schema/videos/described-times.ts'
import { expectQuick } from '../../support/app/quick.ts'

const seconds = (text: string, duration: number | null = null) =>
  timePieces(text, duration).flatMap(piece => piece.seconds ?? [])

describe('times', () => {
  it.each([
    ['0:00 Intro\n1:02:03 End', [0, 3723]],
    ['(12:34) and [2:05], 3:10. 4:20!', [754, 125, 190, 260]],
    ['00:00 - 01:15 Mixing', [0, 75]],
    ['75:30 of a long talk', [4530]],
    ['1:99 2:60 12:3 1:2:03', []],
    ['16:9 or 4:3', []],
    ['2026-05-01 12:34:56', [45_296]],
    ['live at 8:30 pm, 8:30PM or 20:30 Uhr', []],
    ['10:30:45:12 or v1:20:30 or 1:20.5', []],
    ['psalm3:16 and x-1:20', []],
    ['00:00: Intro', [0]],
    ['1:23-2:34', [83, 154]],
    ['１：２３', [83]],
    ['٠١:٢٣ and १:२३', [83, 83]],
    ['2024-1:23', []],
    ['at 7:30 PM', []],
    ['', []],
  ])('%j', (text, expected) => {
    expect(seconds(text)).toEqual(expected)
  })

  it('are none beyond the end', () => expect(seconds('1:00 2:00 3:00', 120)).toEqual([60, 120]))

  it('lose nothing of the text', () => {
    const text = 'a 0:00 b (1:02:03) 9:99\n 3:10'
    expect(
      timePieces(text, null)
        .map(({ words }) => words)
        .join(''),
    ).toBe(text)
  })

  it('take no more time for a hostile text', () => {
    expectQuick(1000, () => timePieces('1:'.repeat(500_000), null))
    expectQuick(1000, () => timePieces('9'.repeat(1_000_000), null))
  })
})
