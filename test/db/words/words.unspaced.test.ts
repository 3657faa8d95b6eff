/** Pairs of letters: those that a search asks for, and those that the database stores. */
import { describe, expect, it } from 'vitest'
import { isOnePair, isUnspaced, pairsOf } from '../../../src/db/words/words.ts'
import { useDatabase } from '../../support/app/database.ts'

const { sql } = useDatabase()

describe('the pairs of a search', () => {
  it.each([
    ['料理番組', `'料理' & '理番' & '番組'`],
    ['料', `'料':*`],
    ['4K料理 と「番組」', `'料理' & 'と':* & '番組'`],
    ['𠮷野家', `'𠮷野' & '野家'`],
    ['ラーメン', `'ラー' & 'ーメ' & 'メン'`],
    ['bread', ''],
  ])('%s has the pairs %s', (piece, pairs) => {
    expect(pairsOf(piece)).toBe(pairs)
  })

  it('only one pair, or one letter, says that the text has the piece', () => {
    expect(['料', '料理', '𠮷野'].every(isOnePair)).toBe(true)
    expect(['料理番', '料 理', '4料', 'ab', ''].some(isOnePair)).toBe(false)
  })
})

describe('the pairs in the database', () => {
  it('the letters of scripts without spaces are the same for a search as in the database', async () => {
    const [row] = await sql<{ letters: string }[]>`
      select string_agg(chr(n), '' order by n) as letters
      from   generate_series(1, x'3ffff'::int) n
      where  n not between x'd800'::int and x'dfff'::int and chr(n) ~ ('[' || unspaced_letters() || ']')`
    const ours = Array.from({ length: 0x3ffff }, (_, at) => at + 1).filter(
      code => (code < 0xd800 || code > 0xdfff) && isUnspaced(String.fromCodePoint(code)),
    )
    expect([...(row?.letters ?? '')].map(letter => letter.codePointAt(0))).toEqual(ours)
    expect(ours.length).toBeGreaterThan(100_000)
  })

  it('each letter is stored with the one after it, the last of a run alone, and other text as words', async () => {
    const [row] = await sql<{ words: string[] }[]>`
      select tsvector_to_array(video_words('<b>4K日本語 の Été “ทำ”', null)) as words`
    expect(row?.words.toSorted()).toEqual(['4k', 'b', 'b4k', 'ete', 'ทำ', 'ำ', 'の', '日本', '本語', '語'].toSorted())
  })

  it('a text without these letters is stored as words alone, also one in ASCII', async () => {
    const [row] = await sql`
      select video_words('Bread <b>and Butter', null)::text as ascii, video_words('x', 'Crème “brûlée”…')::text as others`
    expect(row).toEqual({
      ascii: `'and':3A 'b':2A 'band':5A 'bread':1A 'butter':4A`,
      others: `'brulee':3B 'creme':2B 'x':1A`,
    })
  })
})
