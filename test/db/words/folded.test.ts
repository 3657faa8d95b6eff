/** Folded letters: which texts are one to a search, that the database folds as we do, and where the letters were. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { folded, foldedPlaces } from '../../../src/db/words/folded.ts'
import { useDatabase } from '../../support/app/database.ts'
import { entry, person } from '../../support/app/people.ts'
import { holds } from '../../support/run/holds.ts'

const { sql } = useDatabase()

/** Letters of every kind that folding treats on its own. */
const letters = [...'aé ßẞłŁøđıİæŒþðςΣάйЙёїўѓкが゙ガﾀﾞﾟ김ᄀ각ㄱㅏㄳﾡÅﬁＡ／…“<①½ทำํາໍहि़क़ড়োأةیـَא゚ָ́̈̆̇̂👍🏽️\ue000\n']
const text = fc.string({ unit: fc.oneof(fc.constantFrom(...letters), fc.string({ unit: 'binary', minLength: 1 })) })

describe('folding', () => {
  it('the database folds every letter of Unicode as we do, alone and between others', async () => {
    const around = [
      ['', ''],
      ['и', '\u0306'],
      ['か', '\u3099'],
      ['ᄀ', 'ᅡ'],
    ]
    for (const [before = '', after = ''] of around) {
      const rows = await sql<{ text: string; by_database: string }[]>`
        select ${before} || chr(n) || ${after} as text, folded(${before} || chr(n) || ${after}) as by_database
        from   generate_series(1, x'2ffff'::int) n
        where  n not between x'd800'::int and x'dfff'::int
        -- Those that this Postgres knows, and no ideographs, which stay.
        and    unicode_assigned(chr(n)) and n not between x'3400'::int and x'9fff'::int and n not between x'20000'::int and x'2f7ff'::int`
      const different = rows.filter(row => folded(row.text) !== row.by_database)
      expect(different.slice(0, 10)).toEqual([])
      expect(rows.length).toBeGreaterThan(50_000)
    }
  })

  it('the database folds any text as we do', async () => {
    const any = fc.array(
      text.map(made => made.replaceAll('\0', '').toWellFormed()),
      { minLength: 50, maxLength: 50 },
    )
    await holds(
      fc.asyncProperty(any, async texts => {
        const [row] = await sql<{ by_database: string[] }[]>`
          select array_agg(folded(text) order by place) as by_database
          from   unnest(${texts}::text[]) with ordinality as given (text, place)
          where  unicode_assigned(text)`
        const known = await sql<{ text: string }[]>`
          select text from unnest(${texts}::text[]) with ordinality as given (text, place)
          where  unicode_assigned(text) order by place`
        expect(row?.by_database ?? []).toEqual(known.map(given => folded(given.text)))
      }),
      { runs: 20 },
    )
  })

  it('a text is folded the same composed and decomposed, and nothing of it is folded again', async () => {
    await holds(
      fc.property(text, given => {
        const once = folded(given)
        expect((['NFC', 'NFD'] as const).map(form => folded(given.normalize(form)))).toEqual([once, once])
        expect(folded(once)).toBe(once)
      }),
    )
  })

  it('the places are those of the whole text, and in order', async () => {
    await holds(
      fc.property(text, given => {
        const { text: whole, placeOf, endOf } = foldedPlaces(given)
        const places = Array.from({ length: whole.length + 1 }, (_, at) => placeOf(at))
        expect(whole).toBe(folded(given))
        expect(places).toEqual(places.toSorted((a, b) => a - b))
        expect(places.every((place, at) => place <= endOf(at) && endOf(at) <= given.length)).toBe(true)
      }),
    )
  })
})

describe('a search', () => {
  const word = fc.string({
    unit: fc.constantFrom(...'abcéèçñüßæœþłøđıİйёїґσςάήﬁＡｂ２₂김가らがラガﾗ', 'ﾀﾞ', 'หน้', 'हि', 'مَ', 'أ', 'בָ'),
    minLength: 1,
    maxLength: 8,
  })
  const wide = (given: string) => given.replace(/[!-~]/g, sign => String.fromCharCode(sign.charCodeAt(0) + 0xfee0))
  const forms: [form: string, (given: string) => string][] = [
    ...(['NFC', 'NFD', 'NFKC', 'NFKD'] as const).map((form): [string, (given: string) => string] => [
      form,
      given => given.normalize(form),
    ]),
    ['without marks', folded],
    ['wide', wide],
  ]

  it('finds a title by any of its words, whatever the form of either', async () => {
    const { library } = await person(sql, 'alice')
    const channel = { channel_id: 'c', title: 'C', rss_url: 'https://videos.example/c' }
    const title = fc.array(word, { minLength: 1, maxLength: 4 })
    await holds(
      fc.asyncProperty(
        title,
        fc.constantFrom(...forms),
        fc.constantFrom(...forms),
        async (words, [, saved], [form, typed]) => {
          await library.channels.save(channel, [entry('v', { title: saved(words.join(' ')), description: null })])
          for (const one of words) {
            const { entries } = await library.search.videos({ q: typed(one), limit: 1 })
            expect([one, form, entries.length]).toEqual([one, form, 1])
            expect([one, form, entries[0]?.highlights.title !== null]).toEqual([one, form, true])
          }
        },
      ),
      { runs: 60 },
    )
  })
})
