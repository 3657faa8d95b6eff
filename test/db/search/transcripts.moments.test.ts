/** The cut of a transcript into moments. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { linesFrom, momentsOf, textOf } from '../../../src/db/search/transcripts.ts'
import { holds } from '../../support/run/holds.ts'

const line = (start_seconds: number, text = 'a') => ({ start_seconds, text })
const word = fc.stringMatching(/^[a-z0-9]{1,8}$/)
const transcript = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 60 }), fc.array(word, { minLength: 1, maxLength: 20 })), { maxLength: 60 })
  .map(all => {
    let at = 0
    return all.map(([pause, words]) => {
      at += pause
      return { start_seconds: at, text: words.join(' ') }
    })
  })

it('a moment lasts thirty seconds from its first line, and ends with the beginning of the next', () => {
  const lines = [line(5), line(20), line(34), line(35, 'next one'), line(90)]
  expect(
    momentsOf(lines).map(moment => [moment.start_seconds, moment.lines.map(({ start_seconds }) => start_seconds)]),
  ).toEqual([
    [5, [5, 20, 34, 35, 90]],
    [35, [35, 90]],
    [90, [90]],
  ])
})

it('each line is in a moment, each moment has its own start, and any nine words in a row are in one moment', () => {
  holds(
    fc.property(transcript, lines => {
      const moments = momentsOf(lines)
      const starts = moments.map(({ start_seconds }) => start_seconds)
      expect(new Set(starts).size).toBe(starts.length)
      const texts = moments.map(moment => ` ${moment.lines.map(({ text }) => text).join(' ')} `)
      for (const [at, { text }] of lines.entries()) {
        const row = lines
          .slice(at)
          .map(other => other.text)
          .join(' ')
          .split(' ')
          .slice(0, Math.min(9, text.split(' ').length))
        expect(texts.some(moment => moment.includes(` ${row.join(' ')} `))).toBe(true)
      }
    }),
  )
})

it('lines are stored and read without a loss', () => {
  holds(
    fc.property(transcript, lines => {
      expect(linesFrom(textOf(lines))).toEqual(lines)
    }),
  )
})
