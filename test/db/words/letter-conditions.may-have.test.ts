/** Texts that may have a piece: all that have it in any form, and no other text of usual letters. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { folded, staying } from '../../../src/db/words/folded.ts'
import { becoming_one, containing, mayHave } from '../../../src/db/words/letter-conditions.ts'
import { useDatabase } from '../../support/app/database.ts'
import { holds } from '../../support/run/holds.ts'

const { sql } = useDatabase()

const usual = [...'aeÀåBçñžøıơạΑάΣςσжйёЙחאأ๑กำがカ料김<“…／Ａ!^]\\-[ 1👍']
const unusual = [...'ßæĳŉ…ﬁ½゙́̆ᄀﾀﾞํा̛\ue000']
const textOf = (letters: string[]) => fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 12 })

/** A text, and a part of its folded form, in any case. */
const withPart = fc
  .tuple(textOf([...usual, ...unusual]), fc.nat(20), fc.integer({ min: 1, max: 6 }), fc.boolean())
  .map(([text, from, length, is_upper]) => {
    const letters = [...folded(text)]
    const part = letters
      .slice(from % letters.length)
      .slice(0, length)
      .join('')
    return { text, piece: folded(is_upper ? part.toUpperCase() : part.toLowerCase()) }
  })
const withAny = fc.record({ text: textOf(usual), piece: textOf(usual).map(made => folded(made.slice(0, 3))) })

it('no letter is in both lists, those of the one stay and those of the other become one, beside any letter', () => {
  const stays = new RegExp(`^[${staying}]$`, 'u')
  const becomesOne = new RegExp(`^[${becoming_one}]$`, 'u')
  const wrong: string[] = []
  for (let code = 1; code < 0x20000; code++) {
    const letter = String.fromCodePoint(code)
    const whole = folded(`ж${letter}가`)
    const one = folded(letter)
    if (stays.test(letter) && (becomesOne.test(letter) || whole !== `ж${letter}가`)) wrong.push(letter)
    if (becomesOne.test(letter) && ([...one].length !== 1 || whole !== `ж${one}가`)) wrong.push(letter)
  }
  expect(wrong).toEqual([])
})

it('every text matches that has the piece when it is folded, and no other of letters that are in the lists', async () => {
  await holds(
    fc.asyncProperty(fc.array(fc.oneof(withPart, withAny), { minLength: 100, maxLength: 100 }), async pairs => {
      const rows = await sql<{ text: string; piece: string; may: boolean; has: boolean }[]>`
        select text, piece, text ~ pattern as may, folded(text) ilike containing as has
        from   unnest(${pairs.map(({ text }) => text)}::text[], ${pairs.map(({ piece }) => piece)}::text[],
                      ${pairs.map(({ piece }) => mayHave(piece))}::text[],
                      ${pairs.map(({ piece }) => containing(piece))}::text[]) as pair (text, piece, pattern, containing)`
      const isUsual = (text: string) => new RegExp(`^[${staying}${becoming_one}]*$`, 'u').test(text)
      expect(rows.filter(({ may, has }) => has && !may)).toEqual([])
      expect(rows.filter(({ text, may, has }) => may && !has && isUsual(text))).toEqual([])
    }),
    { runs: 30 },
  )
})
