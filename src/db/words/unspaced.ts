/**
 * Turns text in scripts without spaces between words into what the index knows of it: pairs of letters. The index has each letter
 * with the one after it, and the last letter of a run alone (see the migration `search`). Pure.
 */

/** Thai, Lao, Tibetan, Myanmar, Khmer, Han, Hiragana and Katakana; the same as in the migration. */
const letters = String.raw`\u0e00-\u109f\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3041-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua9e0-\ua9ff\uaa60-\uaa7f\uf900-\ufaff\uff66-\uff9f\u{20000}-\u{3ffff}`
const letter = new RegExp(`[${letters}]`, 'u')
const runs = new RegExp(`[${letters}]+`, 'gu')
const pair = new RegExp(`^[${letters}]{1,2}$`, 'u')

/** Whether a text has letters of these scripts. Postgres would take many words in it for one. */
export const isUnspaced = (text: string): boolean => letter.test(text)

/** A tsquery for the texts that have all pairs of a piece; `''` without any. A single letter is the beginning of a pair. */
export const pairsOf = (piece: string): string =>
  (piece.match(runs) ?? [])
    .map(run => [...run])
    .flatMap(run => (run.length === 1 ? `'${run[0]}':*` : run.slice(1).map((next, at) => `'${run[at]}${next}'`)))
    .join(' & ')

/** Whether a text with the pairs of a piece surely has the piece itself. Of a longer one, it may have the pairs in several places. */
export const isOnePair = (piece: string): boolean => pair.test(piece)
