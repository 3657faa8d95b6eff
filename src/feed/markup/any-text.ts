/**
 * Decodes a file that declares no encoding, such as a list of addresses or subtitles. What is not Unicode is in an encoding of its
 * language. Where no language is named, the encoding is chosen that makes the most letters common. Pure.
 */
import { isUtf8 } from 'node:buffer'
import { decodedAs, textOf } from './encoding.ts'

/** `language`: its tag, if the name of the file has one. The text never contains U+FFFD. */
export function anyTextOf(bytes: Uint8Array, language?: string | null): string {
  const unicode = unicodeIn(bytes)
  if (unicode !== undefined && isUnicode(bytes, unicode)) return unicode.replaceAll('\ufffd', '')
  const texts = encodings.flatMap(encoding => {
    const text = decodedAs(bytes, encoding.name)
    // Some bytes have no letter in this encoding.
    const is_odd = text === undefined || /[\x80-\x9f\ue000-\uf8ff]/.test(text)
    return is_odd ? [] : [{ text, likelihood: likelihoodOf(text, encoding, language) }]
  })
  const [best] = texts.toSorted((a, b) => b.likelihood - a.likelihood)
  // windows-1258 writes a letter and its mark as two signs.
  return best?.text.normalize('NFC') ?? new TextDecoder('windows-1252').decode(bytes)
}

function unicodeIn(bytes: Uint8Array): string | undefined {
  try {
    return textOf(bytes)
  } catch {
    return undefined
  }
}

/** Whether the text is Unicode, also with a few damaged letters among whole ones. */
const isUnicode = (bytes: Uint8Array, text: string): boolean =>
  isUtf8(bytes) || bytes.includes(0) || count(text, /[^\0-\x7f\ufffd]/g) > 2 * count(text, /\ufffd/g)

const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0

type Encoding = {
  name: string
  /** A script, or languages of the Latin script. */
  for: string[]
  /** The most common letters above 127. */
  letters: ReadonlySet<string>
  /** The share that these letters have of all letters above 127, in usual text. */
  share: number
}

const encoding = (name: string, of: string, letters: string, share: number): Encoding => ({
  name,
  for: of.split(' '),
  letters: new Set(letters),
  share,
})

/** Languages with the letters that they have above 127. */
const western = { fr: 'éèêëàâçîïôœùûü', 'de sv fi et': 'äöüßåõ', 'es ca gl it': 'áéíóúñüàèìòùçï', pt: 'ãõáéíóúâêôçà' }
const northern = { 'da nb no': 'æøåé', is: 'áéíóúýðþæö' }
const central = {
  pl: 'ąćęłńóśźż',
  'cs sk': 'áčďéěíňóôřšťúůýžľĺŕä',
  hu: 'áéíóöőúüű',
  'sl hr bs sr': 'čćđšž',
  ro: 'ăâîșțşţ',
}
const cyrillic = 'оеаинтсрлвкмдпуіyї'
const greek = 'αοιετσνηρκπυάέήίόύώς'
const kana = 'のにはをたがでてとしれさいかなうっるもよこまそ'
const chinese = '的一是不了我你在有人好大中到'

const encodings: Encoding[] = [
  ...Object.entries({ ...western, ...northern }).map(([of, letters]) => encoding('windows-1252', of, letters, 1)),
  ...Object.entries(central).flatMap(([of, letters]) =>
    ['windows-1250', 'iso-8859-2'].map(name => encoding(name, of, letters, 1)),
  ),
  encoding('windows-1254', 'tr az', 'ışğçöüəâîû', 1),
  encoding('windows-1257', 'lv lt', 'āčēģīķļņšūžąęėįų', 1),
  encoding('windows-1258', 'vi', 'àáâãèéêìíòóôõùúăđơư\u0300\u0309\u0303\u0301\u0323', 1),
  ...['windows-1251', 'koi8-u', 'ibm866', 'iso-8859-5'].map(name => encoding(name, 'Cyrl', cyrillic, 0.8)),
  encoding('windows-1253', 'Grek', greek, 0.85),
  encoding('windows-1255', 'Hebr', 'יוהלאמרתבשנםד', 0.85),
  encoding('windows-1256', 'Arab', 'اليمنوتربهعةدسفك', 0.85),
  encoding('windows-874', 'Thai', 'านรอกเงมลสวดทย่้ีัิแคบไปะุห', 0.85),
  ...['shift_jis', 'euc-jp'].map(name => encoding(name, 'Jpan', kana, 0.5)),
  encoding('euc-kr', 'Kore', '이다는을가에고의하지나어한도리사기', 0.3),
  encoding('gb18030', 'Hans', `${chinese}这他们个来说么`, 0.2),
  encoding('big5', 'Hant', `${chinese}這他們個來說麼`, 0.2),
]

/** From 0 to 1. With letters of its language, one more for the encoding of the script, and two more for that of the language. */
function likelihoodOf(text: string, { for: tags, letters, share }: Encoding, language?: string | null): number {
  const examined = text.slice(0, max_examined_characters)
  const above = examined.replace(signs, '').match(/[^\0-\x7f]/g) ?? []
  const common = above.filter(letter => letters.has(letter.toLowerCase())).length
  const likelihood = above.length === 0 ? 1 : Math.min(1, common / above.length / share)
  const capitals = count(above.join(''), /\p{Lu}/gu)
  const is_cased = /^(Cyrl|Grek)$/.test(tags[0] ?? '')
  // Languages in Latin letters have few others, and sentences of other scripts with capitals begin with one.
  const is_odd =
    share === 1
      ? above.length > count(examined, /[a-z]/gi)
      : is_cased && (capitals === 0 || capitals > above.length / 2)
  if (likelihood < 0.3) return likelihood
  const fits = tagsOf(language ?? '').findLastIndex(tag => tags.includes(tag)) + 1
  return fits + (is_odd ? 0 : likelihood)
}

/** Signs that texts of any language have, unless they are inside a word. */
const signs = /(?<!\p{L})[\u00a0‘-‟…–—♪«»¡¿°·、。]|[\u00a0‘-‟…–—♪«»¡¿°·、。](?!\p{L})/gu

const max_examined_characters = 50_000

/** The script of a language, and the language. */
function tagsOf(language: string): string[] {
  const [base = '', script] = language.split(/[-_]/)
  if (base === '') return []
  for (const tag of [language.replaceAll('_', '-'), `${base}-${script}`, base])
    try {
      const locale = new Intl.Locale(tag).maximize()
      return [locale.script ?? '', locale.language]
    } catch {}
  return []
}
