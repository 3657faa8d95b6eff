/**
 * Folds the letters of a text, so that a search finds a word however its letters are written: with or without marks, composed or
 * decomposed, in full or half width, as ligatures. What is stored is folded by `folded` of the migrations, which a test
 * compares over all of Unicode; what is asked is folded here. Upper and lower case are left to the database. Pure.
 *
 * A mark stays where its readers take the marked letter for another one: in Japanese (が), Korean and the scripts of India and Southeast
 * Asia; and in Cyrillic letters that have keys of their own (й, ї, ў, ѓ, ќ), other than ё, for which many type е.
 */

/** Signs that count as spaces; two are the marks of `highlights.ts`. */
const spaces = /[“”„«»‹›…•、。！？「」【】（）：，｜｡｢｣､･＜＠‥\ue000\ue001]/g
/** Characters that are not shown: soft hyphens, spaces without width, directions. */
const hidden = /\p{Default_Ignorable_Code_Point}+/gu
/** Each dash of any script, the minus sign, and the middle dots of Catalan and of dictionaries. */
const dashes = /[\p{Pd}\u2212\u00b7\u2027\u2219\u29f8]/gu
/** What is typed or printed for an apostrophe, and the letters of several scripts that look like one. Unicode has no class for them. */
const apostrophes =
  /[\u00b4\u02b9-\u02bf\u02c8\u02ca\u02cb\u02ee\u055a\u05f3\u05f4\u07f4\u07f5\u2018\u2019\u201b\u2032\u2035\ua78b\ua78c\u1fbf\u1ffd\uff07]/g

const withPlainSigns = (text: string) =>
  text.replace(spaces, ' ').replace(hidden, '').replace(dashes, '-').replace(apostrophes, "'")

/** Marks that go. */
const mark = String.raw`\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u093c\ufe20-\ufe2f`
/** Before them the letters whose mark stays. */
const marks = new RegExp(String.raw`([иИуУ]\u0306|[іІ]\u0308|[гГкК]\u0301)|[${mark}]+`, 'g')

/** Letters that Unicode does not decompose, and what is typed for them. Persian and Arabic keyboards write the same letter differently. */
const letters = new Map(
  Object.entries({
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
  }),
)
const any_letter = new RegExp(`[${[...letters.keys()].join('')}]`, 'g')

/** Most letters of most texts, as ranges: folding leaves these as they are, unless marks join them. */
export const staying =
  '\u0001-\u007f\u00a1-\u00a7\u00a9\u00ac\u00ae\u00b0\u00b1\u00b6\u00bf\u00d7\u00f7\u0402-\u040c\u040e-\u044f\u0452-\u045c\u045e\u045f' +
  '\u0391-\u03a1\u03a3-\u03a9\u03b1-\u03c1\u03c3-\u03c9\u05d0-\u05ea\u0621\u0627\u0628\u062a-\u063a\u0641-\u0648\u064a\u0905-\u0928' +
  '\u092a-\u0930\u0932\u0933\u0935-\u0939\u093d-\u094d\u0964-\u096f\u0e01-\u0e4c\u0e4e-\u0e5b\u2016\u201a\u2020\u2021' +
  '\u2030\u20ac\u2190-\u2199\u2500-\u27bf\u3003-\u3007\u3041-\u3096\u30a1-\u30fa\u30fc-\u30fe\u3400-\u9fff\uac00-\ud7a3' +
  '\u{1f1e6}-\u{1f1ff}\u{1f300}-\u{1faff}'

export const folded = (text: string): string =>
  isAscii(text)
    ? text
    : // Some letters look like these signs when they are decomposed.
      withPlainSigns(withPlainSigns(text).normalize('NFKD').replace(marks, '$1'))
        .replace(any_letter, letter => letters.get(letter) ?? letter)
        .normalize('NFC')
        // These two are one letter each to those who type them.
        .replaceAll('ํา', 'ำ')
        .replaceAll('ໍາ', 'ຳ')

/** The inside of a bracket expression: the signs of ASCII, which part words. The same as in the migration `words`. */
export const signs = '!-/:-@[-`{-~'

const letter = String.raw`[^\s${signs}]`
const between_letters = new RegExp(String.raw`(?<=${letter})[\s${signs}]+(?=${letter})`, 'g')
const next_to_letters = new RegExp(`(?<=${letter})(?=${letter})`, 'u')
const where_parted = / |(?<=\p{N})(?=\P{N})|(?<=\P{N})(?=\p{N})/u

/**
 * A regular expression for folded texts that have the folded `piece`, joined or parted: there may be a sign between any two letters, and a
 * space where the piece has a sign or a space, or where letters and digits meet.
 */
export const loosePattern = (piece: string): string =>
  piece
    .replace(between_letters, ' ')
    .split(where_parted)
    .map(run => run.split(next_to_letters).map(escaped).join(`[${signs}]?`))
    .join(String.raw`[\s${signs}]?`)

/**
 * A regular expression, also of Postgres, for folded names that have the folded `part`, or have its letters from the beginning of a word
 * on, however signs and spaces part them: `wifi` for "Wi-Fi", `linustechtips` for "Linus Tech Tips".
 */
export const namePattern = (part: string): string =>
  String.raw`${escaped(part)}|(^|[\s${signs}])${part.replace(between_letters, '').split(next_to_letters).map(escaped).join(String.raw`[\s${signs}]*`)}`

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

export type Folded = {
  text: string
  /** Where in the given text the letter begins that is at this place of the folded one. */
  placeOf(place: number): number
  /** Where in the given text the letter ends that is before this place of the folded one. */
  endOf(place: number): number
}

export function foldedPlaces(given: string): Folded {
  if (isAscii(given)) return { text: given, placeOf: place => place, endOf: place => place }
  const places: number[] = []
  let text = ''
  for (const { 0: letter, index } of given.matchAll(units)) {
    const is_run = unchanged.test(letter)
    const to = is_run ? letter : folded(letter)
    for (let at = 0; at < to.length; at++) places.push(is_run ? index + at : index)
    text += to
  }
  const placeOf = (place: number) => places[place] ?? given.length
  return {
    text,
    placeOf,
    endOf(place) {
      let next = place
      while (next > 0 && next < places.length && places[next] === places[next - 1]) next++
      return placeOf(next)
    },
  }
}

/** What may join the letter before it: marks, what is not shown, the parts of Korean syllables, and the marks and letters of half width. */
const joining = String.raw`\p{M}\p{Default_Ignorable_Code_Point}\u0640\u1160-\u11ff\u3131-\u318e\ufcf2-\ufcf4\ufe70-\ufe7f\uff9e-\uffdc`
const unchanged = new RegExp(`^[${staying}]+$`, 'u')
/** Pieces that are folded apart from each other as they are together: runs of letters that stay, and a letter with all that joins it. */
const units = new RegExp(`[${staying}]+(?![${joining}])|[^${joining}]?[${joining}]+|[^${joining}]`, 'gu')

const isAscii = (text: string) => !/[^\0-\x7f]/.test(text)
