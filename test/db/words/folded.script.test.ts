/** The script of a transcript, which folds as the search of all videos does. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { folded, foldedPlaces, loosePattern } from '../../../src/db/words/folded.ts'
import { folded as foldedThere, loosePattern as loosePatternThere, unfolded } from '../../../static/player/folded.js'
import { holds } from '../../support/run/holds.ts'

const letters = [...'aé ßẞłøİıæςйёѓが゙ガﾀﾞ김ᄀ각ㄱㅏÅﬁＡ／…“<①½ทำํາໍहि़ড়أیـَא゚ָ́̈̆👍🏽️\n']
const text = fc.string({ unit: fc.oneof(fc.constantFrom(...letters), fc.string({ unit: 'binary', minLength: 1 })) })

it('the script folds every letter of Unicode, and any text, as the search does', async () => {
  const codes = Array.from({ length: 0x30000 }, (_, code) => String.fromCodePoint(code))
  expect(codes.filter(letter => foldedThere(letter) !== folded(letter))).toEqual([])
  await holds(
    fc.property(text, given => {
      expect(foldedThere(given)).toBe(folded(given))
      expect(loosePatternThere(folded(given))).toBe(loosePattern(folded(given)))
    }),
  )
})

it('the script finds the letters of a folded part in the text', async () => {
  await holds(
    fc.property(text, fc.nat(), fc.nat(), (given, one, other) => {
      const whole = foldedPlaces(given)
      const ends = [...whole.text].map((_, at, all) => all.slice(0, at + 1).join('').length)
      const [from = 0, to = 0] = [one, other]
        .map(place => [0, ...ends][place % (ends.length + 1)] ?? 0)
        .toSorted((a, b) => a - b)
      fc.pre(from < to)
      expect(unfolded(given, from, to)).toEqual([whole.placeOf(from), whole.endOf(to)])
    }),
  )
})
