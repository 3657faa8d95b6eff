// Folds letters as the search of all videos does, so that a transcript finds a word in every spelling. A test compares this file with
// `src/db/words/folded.ts`, which explains the rules.

const folding = {
  spaces: /[“”„«»‹›…•、。！？「」【】（）：，｜｡｢｣､･＜＠‥\ue000\ue001]/g,
  hidden: /\p{Default_Ignorable_Code_Point}+/gu,
  dashes: /[\p{Pd}\u2212\u00b7\u2027\u2219\u29f8]/gu,
  apostrophes:
    /[\u00b4\u02b9-\u02bf\u02c8\u02ca\u02cb\u02ee\u055a\u05f3\u05f4\u07f4\u07f5\u2018\u2019\u201b\u2032\u2035\ua78b\ua78c\u1fbf\u1ffd\uff07]/g,
  marks: new RegExp(
    String.raw`([иИуУ]\u0306|[іІ]\u0308|[гГкК]\u0301)|[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7` +
      String.raw`\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u093c\ufe20-\ufe2f]+`,
    'g',
  ),
  /** @type {Record<string, string>} */
  letters: {
    ß: 'ss',
    ẞ: 'SS',
    æ: 'ae',
    Æ: 'AE',
    œ: 'oe',
    Œ: 'OE',
    þ: 'th',
    Þ: 'TH',
    ø: 'o',
    Ø: 'O',
    ł: 'l',
    Ł: 'L',
    đ: 'd',
    Đ: 'D',
    ð: 'd',
    Ð: 'D',
    ħ: 'h',
    Ħ: 'H',
    ŧ: 't',
    Ŧ: 'T',
    ı: 'i',
    ς: 'σ',
    ى: 'ي',
    ی: 'ي',
    ک: 'ك',
    ة: 'ه',
  },
  // A letter with the marks that may join it.
  units: new RegExp(
    '[^JOINING]?[JOINING]+|[^JOINING]'.replaceAll(
      'JOINING',
      String.raw`\p{M}\p{Default_Ignorable_Code_Point}\u0640\u1160-\u11ff\u3131-\u318e\uff9e-\uffdc`,
    ),
    'gu',
  ),
}

/** @param {string} text */
const withPlainSigns = text =>
  text
    .replace(folding.spaces, ' ')
    .replace(folding.hidden, '')
    .replace(folding.dashes, '-')
    .replace(folding.apostrophes, "'")

/** @param {string} text */
export function folded(text) {
  if (/^[\0-\x7f]*$/.test(text)) return text
  return withPlainSigns(withPlainSigns(text).normalize('NFKD').replace(folding.marks, '$1'))
    .replace(/[^\0-\x7f]/g, letter => folding.letters[letter] ?? letter)
    .normalize('NFC')
    .replaceAll('ํา', 'ำ')
    .replaceAll('ໍາ', 'ຳ')
}

// The inside of a bracket expression.
const signs = '!-/:-@[-`{-~'
const letter = String.raw`[^\s${signs}]`
const between_letters = new RegExp(String.raw`(?<=${letter})[\s${signs}]+(?=${letter})`, 'g')
const next_to_letters = new RegExp(`(?<=${letter})(?=${letter})`, 'u')
const where_parted = / |(?<=\p{N})(?=\P{N})|(?<=\P{N})(?=\p{N})/u

/** A regular expression for folded texts that have the folded `piece`, joined or parted. @param {string} piece */
export const loosePattern = piece =>
  piece
    .replace(between_letters, ' ')
    .split(where_parted)
    .map(run => run.split(next_to_letters).map(escaped).join(`[${signs}]?`))
    .join(String.raw`[\s${signs}]?`)

/** @param {string} text */
const escaped = text => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

/**
 * Finds the letters that became those of the folded text between `from` and `to`. Returns their place in the given text.
 * @param {string} text @param {number} from @param {number} to @returns {[start: number, end: number]}
 */
export function unfolded(text, from, to) {
  let [at, place, start, end] = [0, 0, text.length, 0]
  for (const [unit] of text.matchAll(folding.units)) {
    const next = at + folded(unit).length
    if (next > from) start = Math.min(start, place)
    place += unit.length
    if (at < to) end = place
    at = next
  }
  return [start, end]
}
