/**
 * Takes the secrets of one run of yt-dlp out of what the run says and writes. A site can repeat the cookies and headers that it gets: in an
 * error, an address, a title or a subtitle. Pure.
 */
import type { Operator } from './options.ts'

/** Returns the text with "…" in the place of each secret, however the secret is spelled. */
export type Hide = (text: string) => string

/**
 * Shorter values are ordinary words and numbers ("dark", "en_US", "1700000"), which would garble titles and lengths. A number needs more
 * digits, because lines contain sizes and times.
 */
const [least_length, least_digits, least_letters] = [6, 10, 10]
/** An argument of an extractor is a token only when it is this long; shorter ones are words such as `tv_simply`. */
const least_token_length = 16

/** What the run gets from its person or the operator, and gives to sites. `cookies`: of the person, in place of the operator's. */
export const secretsGiven = (operator: Operator | undefined, cookies = operator?.cookies): string[] => [
  ...(cookies === undefined ? [] : cookieValues(cookies)),
  ...(operator ? optionValues(operator) : []),
]

/** The values of the cookies in a Netscape file. A cookie without a value is sent as its name. */
const cookieValues = (cookies: string): string[] =>
  cookies.split(/\r?\n/).flatMap(line => {
    const [name, value, ...rest] = line.split('\t').slice(5)
    return value === undefined || rest.length > 0 ? [] : [value || (name ?? '')]
  })

/** The values of the operator's options that may be secrets. */
const optionValues = ({ options }: Operator): string[] =>
  options.flatMap(({ name, value = '' }) => {
    if (name === '--extractor-args') return value.split(/[:;=,\s]+/).filter(part => part.length >= least_token_length)
    if (name !== '--add-headers') return []
    const sent = value.slice(value.indexOf(':') + 1).trim()
    return isAddress(sent) ? [] : [sent]
  })

/** A bare address of a site is no secret: without it, the addresses of its videos would be broken. */
export const isAddress = (value: string): boolean => /^https?:\/\/[^?@]*$/.test(percentDecoded(value))

/** `said`: our own arguments. A value in them is no secret, and our own lines would not be understood without it. */
export function hidingOf(secrets: string[], said: string[]): Hide {
  const own_words = said.join('\n')
  const isSecret = (value: string) => isLong(value) && !own_words.includes(value)
  const spellings = new Set([...new Set(secrets)].flatMap(partsOf).filter(isSecret).flatMap(spellingsOf).filter(isLong))
  // The longest first: a shorter one may be its beginning.
  const by_start = Map.groupBy(
    [...spellings].toSorted((a, b) => b.length - a.length),
    spelling => spelling.slice(0, least_length),
  )
  if (by_start.size === 0) return text => text
  return text => {
    let hidden = ''
    let from = 0
    for (let at = 0; at + least_length <= text.length; at++) {
      const alike = by_start.get(text.slice(at, at + least_length))
      const found = alike && secretAt(text, at, alike)
      if (!found) continue
      hidden += `${text.slice(from, at)}…`
      from = at + found.length
      at = from - 1
    }
    return hidden + text.slice(from)
  }
}

/** Letters alone are often a word, as in `country=Germany`. */
const isLong = (value: string): boolean =>
  value.length >= (/^\d+$/.test(value) ? least_digits : /^[A-Z]?[a-z]+$/.test(value) ? least_letters : least_length)

/**
 * Where very many secrets begin alike, which a person could choose, the whole word is hidden: to compare all of them at each place takes
 * minutes.
 */
function secretAt(text: string, at: number, alike: string[]): string | undefined {
  if (alike.length <= max_alike) return alike.find(spelling => text.startsWith(spelling, at))
  word.lastIndex = at
  return word.exec(text)?.[0]
}
const max_alike = 100
const word = /[^\s"\\<>]+/y

/** The value, as a site reads it, and the long words in it, because a site may repeat one part. */
const partsOf = (value: string): string[] => {
  const read = [value, value.replace(/^"(.*)"$/s, '$1'), percentDecoded(value)]
  return [...new Set(read.flatMap(text => [text, ...(text.match(/[\w-]{12,}/g) ?? [])]))]
}

/** A text as yt-dlp gets it back: in an address, JSON, HTML or base64. */
function spellingsOf(text: string): string[] {
  // A browser's whole file has thousands of these.
  if (/^[\w.-]+$/.test(text)) return [text, ...inBase64(text)]
  const encoded = encodeURIComponent(text.toWellFormed())
  const strict = encoded.replace(/[!'()*]/g, char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
  const in_path = strict.replaceAll('%2F', '/')
  const in_form = new URLSearchParams({ '': text }).toString().slice(1)
  const by_percent = [encoded, strict, in_path, in_form].flatMap(one => [one, one.replaceAll('%20', '+')])
  const lower = by_percent.map(one => one.replace(/%../g, code => code.toLowerCase()))
  return [text, ...by_percent, ...lower, ...inJson(text), inHtml(text), ...inBase64(text)]
}

const percentDecoded = (value: string): string => {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

/** As JavaScript and as Python write it. */
function inJson(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1)
  const ascii = json.replace(/[\u007f-\uffff]/g, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return [json, ascii]
}

const inHtml = (text: string): string =>
  text.replace(/[&<>"']/g, char => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[char] ?? '&#x27;')

/**
 * Six bits are one character, so a text with the value in it has the value in one of three spellings. Its first and last characters also
 * depend on its neighbours, and are left out.
 */
function inBase64(text: string): string[] {
  const bytes = Buffer.from(text)
  return [0, 1, 2].flatMap(before => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
    const own = whole.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6))
    return [own, own.replaceAll('+', '-').replaceAll('/', '_')]
  })
}
